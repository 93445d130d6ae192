// Snapshots. With a key in the address, that one.

import { Badges } from '../part/badge';
import { counted } from '../part/count';
import { ListRow } from '../part/list-row';
import { SearchList, useSearch } from '../part/search-list';
import { href } from '../state/address';
import { pickOf, pickQuery } from '../state/picks';
import { program, shape } from '../state/shape';
import type { Key, SessionRow } from '../work/protocol';
import { Prompts } from './prompts';
import { Revision } from './revision';

/** In the place of a key: what is kept before prompts, which is no list of the core. */
const PROMPTS = 'prompts';

function Page({ of }: { of: Key | null }) {
  if (of === PROMPTS) return <Prompts />;
  return of === null ? <List /> : <Revision of={of} />;
}

function List() {
  const list = useSearch<'sessions'>((part) => ({ query: 'sessions', ...part }));
  return (
    <>
      {shape === 'server' && (
        <p class="page">
          <a href={href('sessions', PROMPTS)}>Before each prompt of an agent</a>
        </p>
      )}
      <SearchList
        {...list}
        noun="snapshot"
        title="Snapshots"
        height={() => 60}
        row={(row) => <Row row={row} />}
        none={
          <section class="notice">
            <h2>No snapshots</h2>
            <p>
              <code>{program} snapshot create --reason R</code> takes one, and so do hooks before a context is compacted.
            </p>
          </section>
        }
      />
    </>
  );
}

function Row({ row }: { row: SessionRow }) {
  const { key, id, created_at: at, reason, message, pinned, archived, files, badges, problem } = row;
  const side = pickOf({ key, revision: null });
  return (
    <ListRow
      href={href('sessions', key, pickQuery())}
      pickKey={key}
      name={message ?? id}
      badges={
        <>
          {pinned && <span class="badge">pinned</span>} {archived && <span class="badge">archived</span>}{' '}
          <Badges badges={badges} />
          {side !== null && <b class="badge">{side.toUpperCase()}</b>}
        </>
      }
      at={at}
    >
      {problem === null ? (
        <>
          {reason ?? 'no reason'} · {files === null ? 'no files' : counted(files, 'file')} · <code>{id}</code>
        </>
      ) : (
        <span class="error">{problem.message}</span>
      )}
    </ListRow>
  );
}

export { Page as Sessions };
