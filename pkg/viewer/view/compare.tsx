// The differences between any two versions: revisions of runs, snapshots, task checkpoints.

import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Answered, usePlace } from '../part/answer';
import { ChangeCard, FileCard, Kind, SIGNS } from '../part/change';
import { CommandLine } from '../part/command';
import { counted } from '../part/count';
import { VersionPicker } from '../part/version-picker';
import { Spacer } from '../part/spacer';
import { Tree, type TreeNode } from '../part/tree';
import { useWindow } from '../part/window';
import { address, formatVersion, go, withQuery } from '../state/address';
import { announce } from '../state/announce';
import { useActions } from '../state/shortcuts';
import { picks } from '../state/picks';
import { program } from '../state/shape';
import type { Change, Comparison, FileChange, Query, VersionRef } from '../work/protocol';
import { useQuery } from '../work/client';

/** An entry that n and p go through: a change of a field, or a file whose content is kept. */
type Entry = { id: string; name: string; kind: string; sentence: string } & ({ change: Change } | { file: FileChange });

function entriesOf({ changes, files }: Comparison): Entry[] {
  return [
    ...changes.map((change) => ({
      id: change.path,
      name: change.label,
      kind: change.kind,
      sentence: change.sentence,
      change,
    })),
    ...files.filter(isKept).map((file) => ({
      id: `file:${file.path}`,
      name: file.path,
      kind: file.change,
      sentence: `file ${file.path} ${file.change}`,
      file,
    })),
  ];
}

/** Returns whether its content can be shown. */
function isKept(file: FileChange): boolean {
  return file.key !== undefined;
}

function Page() {
  const { a, b } = picks.value;
  const asked = useQuery<'compare'>(a && b ? { query: 'compare', a, b } : null);
  usePlace(asked);
  const value = asked.overtaken ? undefined : asked.value;
  const choose =
    (name: 'a' | 'b') =>
    (version: VersionRef): void =>
      go(withQuery({ [name]: formatVersion(version), change: null }), 'replace');
  const swap = (): void => {
    go(withQuery({ a: b && formatVersion(b), b: a && formatVersion(a) }), 'replace');
    announce('A and B are swapped');
  };
  useActions({ swap });
  return (
    <div class="page compare">
      <h1 class="unseen">Compare</h1>
      <div class="sides">
        <VersionPicker name="A" version={a} side={value?.a} choose={choose('a')} />
        <button
          type="button"
          aria-label="Swap A and B"
          title="Swap A and B (s)"
          aria-keyshortcuts="s"
          disabled={!a && !b}
          onClick={swap}
        >
          ⇄
        </button>
        <VersionPicker name="B" version={b} side={value?.b} choose={choose('b')} />
      </div>
      {a && b ? (
        <Answered asked={asked}>
          {(comparison) => <Differences comparison={comparison} of={asked.question!} />}
        </Answered>
      ) : (
        <p class="dim">Choose two versions here, or pick them with x in any list or timeline.</p>
      )}
    </div>
  );
}

/** `of` is the question that this answers: others may be chosen already. */
function Differences({ comparison, of: { a, b } }: { comparison: Comparison; of: Query<'compare'> }) {
  const entries = useMemo(() => entriesOf(comparison), [comparison]);
  const named = comparison.files.filter((file) => !isKept(file));
  const wanted = address.value.query.get('change');
  const chosen = entries.findIndex(({ id }) => id === wanted);
  const seen = useWindow(entries.length, (at) => heightOf(entries[at]!), `${formatVersion(a)} ${formatVersion(b)}`);

  const show = (to: number): void => {
    const entry = entries[to];
    if (!entry) return;
    go(withQuery({ change: entry.id }), 'replace');
    seen.show(to, (item) => {
      item.scrollIntoView({ block: 'start' });
      item.focus({ preventScroll: true });
    });
  };
  const step = (by: number) => (): void => {
    const last = entries.length - 1;
    const to = chosen < 0 ? (by > 0 ? 0 : last) : chosen + by;
    if (to < 0 || to > last) announce(by > 0 ? 'That was the last change' : 'That was the first change');
    show(Math.max(0, Math.min(last, to)));
  };
  useActions({ 'next-change': step(1), 'previous-change': step(-1), next: step(1), previous: step(-1) });

  // One and the same element is not gone through again at each step.
  const bodies = useMemo(() => new Map<Entry, JSX.Element>(), [entries]);
  const bodyOf = (entry: Entry): JSX.Element => {
    const body =
      bodies.get(entry) ??
      ('change' in entry ? <ChangeCard change={entry.change} /> : <FileCard file={entry.file} a={a} b={b} />);
    bodies.set(entry, body);
    return body;
  };

  const total = entries.length;
  useEffect(() => {
    announce(comparison.same ? 'No difference' : counted(total, 'change'));
    if (chosen >= 0) seen.show(chosen, (item) => item.scrollIntoView({ block: 'start' }));
  }, [formatVersion(a), formatVersion(b)]);

  if (comparison.same) {
    return <p class="nothing">No difference: both versions say the same.</p>;
  }
  return (
    <>
      <div class="bar steps">
        <b>{counted(total, 'change')}</b>
        <span class="gap" />
        <button type="button" aria-keyshortcuts="p" disabled={total === 0 || chosen === 0} onClick={step(-1)}>
          ↑ Previous <kbd aria-hidden="true">p</kbd>
        </button>
        <span class="place-of">
          {chosen < 0
            ? `of ${total.toLocaleString()}`
            : `${(chosen + 1).toLocaleString()} of ${total.toLocaleString()}`}
        </span>
        <button type="button" aria-keyshortcuts="n" disabled={total === 0 || chosen === total - 1} onClick={step(1)}>
          ↓ Next <kbd aria-hidden="true">n</kbd>
        </button>
      </div>
      <div class="split">
        <Outline entries={entries} chosen={wanted} show={show} />
        <div class="changes">
          <Spacer height={seen.above} />
          <div role="feed" aria-label="Changes" ref={seen.ref}>
            {entries.slice(seen.from, seen.to).map((entry, offset) => {
              const at = seen.from + offset;
              return (
                <article
                  key={entry.id}
                  class="card"
                  data-at={at}
                  data-chosen={at === chosen || undefined}
                  tabIndex={-1}
                  aria-label={`Change ${at + 1} of ${total}: ${entry.sentence}`}
                  aria-posinset={at + 1}
                  aria-setsize={total}
                >
                  {bodyOf(entry)}
                </article>
              );
            })}
          </div>
          <Spacer height={seen.below} />
          {named.length > 0 && <Files files={named} />}
          {comparison.cli.length > 0 && <AsPrinted comparison={comparison} />}
        </div>
      </div>
    </>
  );
}

/** About how high a card is, before it has been drawn. */
function heightOf(entry: Entry): number {
  if (!('change' in entry)) return 48;
  const { lines, items } = entry.change;
  return 62 + 20 * (lines?.length ?? items?.length ?? 2);
}

/** The fields that differ, as a tree. */
function Outline({ entries, chosen, show }: { entries: Entry[]; chosen: string | null; show: (at: number) => void }) {
  const nodes = useMemo(() => treeOf(entries), [entries]);
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 56rem)').matches);
  return (
    <details class="outline" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Fields and files</summary>
      <Tree
        nodes={nodes}
        label="What differs"
        chosen={chosen}
        choose={({ id }) => show(entries.findIndex((entry) => entry.id === id))}
      />
    </details>
  );
}

/** The parts of a JSON pointer; a file is its folder and its name. */
function partsOf(id: string): string[] {
  if (id.startsWith('file:')) {
    const path = id.slice(5);
    const at = path.lastIndexOf('/');
    return at < 0 ? ['files', path] : ['files', path.slice(0, at), path.slice(at + 1)];
  }
  if (!id.startsWith('/')) return [id];
  return id
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function treeOf(entries: Entry[]): TreeNode[] {
  const root: TreeNode = { id: '', label: '', children: [] };
  const known = new Map<string, TreeNode>([['', root]]);
  for (const { id, kind, sentence } of entries) {
    let node = root;
    let path = '';
    for (const part of partsOf(id)) {
      path += `\u0000${part}`;
      let next = known.get(path);
      if (!next) {
        next = { id: path, label: part, children: [] };
        known.set(path, next);
        node.children.push(next);
      }
      node = next;
    }
    node.id = id;
    node.say = sentence;
    node.note = (
      <b class="kind" data-kind={kind} aria-hidden="true">
        {SIGNS[kind]}
      </b>
    );
  }
  return root.children;
}

/** Files that are named by one side alone; their contents are not kept. */
function Files({ files }: { files: FileChange[] }) {
  return (
    <section class="card" aria-labelledby="files">
      <h2 id="files" class="head">
        Files <span class="count">{files.length.toLocaleString()}</span>
      </h2>
      <ul class="files">
        {files.map(({ path, change }) => (
          <li key={path}>
            <code>{path}</code> <Kind kind={change} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The comparison as the command line prints it. */
function AsPrinted({ comparison: { cli, commands } }: { comparison: Comparison }) {
  return (
    <details class="card">
      <summary class="head">
        <h2>
          As <code>{program} diff</code> prints it
        </h2>
      </summary>
      <pre>{cli.join('\n')}</pre>
      {commands.map(({ label, text }) => (
        <CommandLine key={text} label={label} text={text} />
      ))}
    </details>
  );
}

export { Page as Compare };
