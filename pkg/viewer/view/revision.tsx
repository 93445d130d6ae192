// One version of a checkpoint, and the way to the revisions before and after it. Snapshots and task checkpoints
// have no others; all else is the same.

import { AnswerPage, Bad } from '../part/answer';
import { Status } from '../part/badge';
import { Commands, Snapshot } from '../part/snapshot';
import { Timestamp } from '../part/time';
import { address, formatVersion, go, href, withQuery } from '../state/address';
import { announce } from '../state/announce';
import { useActions } from '../state/shortcuts';
import { pick, pickOf } from '../state/picks';
import type { Key, RevisionPage, UnreadVersion, VersionRef } from '../work/protocol';

type AnyPage = RevisionPage | UnreadVersion;

function Page({ of }: { of: Key | null }) {
  const at = /^\d{1,15}$/.exec(address.value.query.get('at') ?? '');
  const version = of === null ? null : { key: of, revision: at && Number(at[0]) };
  return (
    <AnswerPage<'revision'> title="Revision" question={version && { query: 'revision', moment: version }}>
      {(page) => (
        <>
          <Head version={version!} page={page} />
          {page.problem === null ? (
            <Snapshot version={version!} page={page} />
          ) : (
            <>
              <Bad>{page.problem.message}</Bad>
              <Commands commands={page.commands} />
            </>
          )}
        </>
      )}
    </AnswerPage>
  );
}

/** The name of the version, and the steps to its neighbours. */
function Head({ version: { key }, page }: { version: VersionRef; page: AnyPage }) {
  const { title, kind, revision, revisions, newest, problem } = page;
  const chain = [...revisions].sort((one, other) => one - other);
  const place = revision === null ? -1 : chain.indexOf(revision);
  const [older, newer] = place < 0 ? [] : [chain[place - 1], chain[place + 1]];
  const shown = { key, revision };
  const side = pickOf(shown);
  const to = (next: number | undefined, none: string) => (): void => {
    if (next !== undefined) go(withQuery({ at: next === newest ? null : String(next) }), 'replace');
    announce(next === undefined ? none : `Revision ${next}`);
  };
  const actions = {
    older: to(older, 'No older revision is kept'),
    newer: to(newer, 'This is the newest revision'),
    pick: () => pick(shown, revision === null ? title : `Revision ${revision}`),
  };
  useActions(actions);
  return (
    <div class="head-of">
      <div class="head">
        <h1>{title}</h1>
        {problem !== null ? <Status status="corrupt" /> : page.status !== null && <Status status={page.status} />}
      </div>
      <div class="bar">
        <span>{revision === null ? kind : `Revision ${revision} of ${newest ?? revision}`}</span>
        {problem === null && (
          <span class="dim">
            <Timestamp at={page.at} how="whole" />
          </span>
        )}
        <span class="gap" />
        {chain.length > 0 && (
          <span class="bar" role="group" aria-label="Other revisions">
            <button type="button" aria-keyshortcuts="[" disabled={older === undefined} onClick={actions.older}>
              ← Older <kbd aria-hidden="true">[</kbd>
            </button>
            <button type="button" aria-keyshortcuts="]" disabled={newer === undefined} onClick={actions.newer}>
              Newer → <kbd aria-hidden="true">]</kbd>
            </button>
          </span>
        )}
        {older !== undefined && (
          <a href={href('compare', null, { a: `${key}@${older}`, b: formatVersion(shown) })}>What it changed</a>
        )}
        {revision === null && <a href={href('compare', null, { a: key })}>Compare with another</a>}
        <button type="button" aria-pressed={side !== null} aria-keyshortcuts="x" onClick={actions.pick}>
          {side === null ? 'Pick' : `Picked as ${side.toUpperCase()}`}
        </button>
      </div>
    </div>
  );
}

export { Page as Revision };
