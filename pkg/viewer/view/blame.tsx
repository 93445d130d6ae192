// For each field, the revision that set it: when that was, and who wrote it.

import { useState } from 'preact/hooks';

import { AnswerPage } from '../part/answer';
import { TableSpacer } from '../part/spacer';
import { Timestamp } from '../part/time';
import { useMoves, useWindow } from '../part/window';
import { href } from '../state/address';
import { useActions } from '../state/shortcuts';
import { pick, pickQuery } from '../state/picks';
import type { Blame, Key } from '../work/protocol';

/** About the height of a row, before it has been drawn, in px. */
const ROW = 40;

function Page({ of }: { of: Key | null }) {
  return (
    <AnswerPage<'blame'> title="Blame" question={of === null ? null : { query: 'blame', key: of }}>
      {(blame) => <Fields of={of!} blame={blame} />}
    </AnswerPage>
  );
}

function Fields({ of, blame: { title, fields } }: { of: Key; blame: Blame }) {
  const seen = useWindow(fields.length, () => ROW, of);
  // The fields that one revision set are shown together.
  const [near, setNear] = useState<number | null>(null);
  useMoves(seen);
  useActions({
    pick: () => {
      if (near === null) return false;
      pick({ key: of, revision: near }, `Revision ${near}`);
      return undefined;
    },
  });
  return (
    <>
      <div class="head-of">
        <h1>{title}</h1>
        <p class="dim">Which revision set what each field says now.</p>
      </div>
      <table class="blame" aria-rowcount={fields.length + 1}>
        <caption class="unseen">Fields, and the revisions that set them</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Revision</th>
            <th scope="col">Set</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <TableSpacer height={seen.above} />
        <tbody ref={seen.ref}>
          {fields
            .slice(seen.from, seen.to)
            .map(({ path, label, value, revision, at, session, agent, before, since }, offset) => (
              <tr
                key={path}
                data-at={seen.from + offset}
                aria-rowindex={seen.from + offset + 2}
                data-near={(revision !== null && revision === near) || undefined}
                onFocusIn={() => setNear(revision)}
                onPointerEnter={() => setNear(revision)}
              >
                <th scope="row">{label}</th>
                <td class="value">{value}</td>
                <td data-head="Revision">
                  {revision === null ? (
                    <span class="dim">{before === undefined ? 'not known' : `before ${before}`}</span>
                  ) : (
                    <a href={href('revision', of, { ...pickQuery(), at: String(revision) })}>{revision}</a>
                  )}
                  {typeof since === 'number' && <span class="dim"> or from {since} on, which cannot be read</span>}
                </td>
                <td data-head="Set">
                  <Timestamp at={at} />
                </td>
                <td data-head="By">
                  {agent ?? <span class="dim">not recorded</span>}
                  {session !== null && (
                    <>
                      {' '}
                      <code title="Session">{session}</code>
                    </>
                  )}
                </td>
              </tr>
            ))}
        </tbody>
        <TableSpacer height={seen.below} />
      </table>
    </>
  );
}

export { Page as Blame };
