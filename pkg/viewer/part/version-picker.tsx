// One side of a comparison: a checkpoint, found by typing, and one of its revisions.

import { age, clock, date } from '../state/time';
import type { Key, Revision, Side, VersionRef } from '../work/protocol';
import { query, useQuery } from '../work/client';
import { words } from './badge';
import { Combobox, type Option } from './combobox';
import { versionLabel } from './picks';

/** Of each kind so many are offered; who seeks another one types more. */
const OFFERED = 20;

const aged = (at: string | null): string => (at === null ? '' : age(Date.parse(at)));

/** The runs, snapshots and tasks with this text in their names. */
async function find(text: string): Promise<Option[]> {
  const part = { from: 0, count: OFFERED };
  const [commands, sessions, tasks] = await Promise.all([
    query({ query: 'overview', filter: { text }, sort: 'updated', ...part }).reply,
    query({ query: 'sessions', filter: { text }, ...part }).reply,
    query({ query: 'tasks', filter: { text }, ...part }).reply,
  ]);
  return [
    ...(commands.value?.rows ?? []).map(({ key, title, status, updated_at: at }) => ({
      id: key,
      title,
      note: `${words(status)} ${aged(at)}`,
      group: 'Runs',
    })),
    ...(sessions.value?.rows ?? []).map(({ key, id, message, reason, created_at: at }) => ({
      id: key,
      title: message ?? id,
      note: `${reason ?? ''} ${aged(at)}`,
      group: 'Snapshots',
    })),
    ...(tasks.value?.rows ?? []).flatMap(({ task, checkpoints }) =>
      checkpoints.map(({ key, id, saved_at: at }) => ({
        id: key,
        title: `${task} / ${id}`,
        note: aged(at),
        group: 'Tasks',
      })),
    ),
  ];
}

function revisionText({ revision, at_ms: at, headline }: Revision): string {
  const when = at === null ? '' : ` · ${date(at)} ${clock(at)}`;
  return `${revision}${when} · ${headline}`;
}

function RevisionPicker({
  of,
  name,
  chosen,
  choose,
}: {
  of: Key;
  name: string;
  chosen: number | null;
  choose: (revision: number | null) => void;
}) {
  const { value, pending } = useQuery<'timeline'>({ query: 'timeline', key: of });
  const revisions = [...(value?.revisions ?? [])].sort((one, other) => other.revision - one.revision);
  const isKnown = chosen === null || revisions.some(({ revision }) => revision === chosen);
  return (
    <select
      aria-label={`Revision of ${name}`}
      aria-busy={pending}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value: to } }) => choose(to === '' ? null : Number(to))}
    >
      <option value="">Present</option>
      {!isKnown && <option value={chosen}>{chosen}</option>}
      {revisions.map((it) => (
        <option key={it.revision} value={it.revision}>
          {revisionText(it)}
        </option>
      ))}
    </select>
  );
}

interface Props {
  name: 'A' | 'B';
  version: VersionRef | null;
  /** The comparison's words for it, once there is one. */
  side: Side | undefined;
  choose: (version: VersionRef) => void;
}

export function VersionPicker({ name, version, side, choose }: Props) {
  return (
    <div class="side">
      <Combobox
        label={name}
        value={side?.title ?? (version ? versionLabel({ ...version, revision: null }) : '')}
        find={find}
        choose={({ id }) => choose({ key: id, revision: null })}
      />
      {version?.key.startsWith('c/') && (
        <RevisionPicker
          of={version.key}
          name={name}
          chosen={version.revision}
          choose={(revision) => choose({ ...version, revision })}
        />
      )}
    </div>
  );
}
