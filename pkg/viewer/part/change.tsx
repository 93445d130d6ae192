// One change between two versions, and one file that differs.

import { useState } from 'preact/hooks';

import type { Change, FileChange, VersionRef } from '../work/protocol';
import { useQuery } from '../work/client';
import { Answered } from './answer';
import { counted } from './count';
import { DiffList, DiffTable } from './diff-table';

/** The sign of a kind of change where there is no room for a word. */
export const SIGNS: Record<string, string> = { added: '+', removed: '−', changed: '±', reordered: '⇅' };

export function Kind({ kind }: { kind: string }) {
  return (
    <span class="kind" data-kind={kind}>
      <b aria-hidden="true">{SIGNS[kind] ?? '±'}</b> {kind}
    </span>
  );
}

function Body({ change: { lines, items, before, after, label, sentence } }: { change: Change }) {
  if (lines !== null) return <DiffTable lines={lines} label={label} />;
  if (items !== null) return <DiffList items={items} label={label} />;
  const sides = [
    ...(before === null ? [] : [{ op: '-' as const, text: before }]),
    ...(after === null ? [] : [{ op: '+' as const, text: after }]),
  ];
  return sides.length > 0 ? <DiffList items={sides} label={label} /> : <p class="dim">{sentence}</p>;
}

export function ChangeCard({ change }: { change: Change }) {
  return (
    <>
      <div class="head">
        <h2>{change.label}</h2>
        <Kind kind={change.kind} />
      </div>
      <Body change={change} />
    </>
  );
}

/** A file with the difference of its content, which is fetched on demand. */
export function FileCard({ file, a, b }: { file: FileChange; a: VersionRef | null; b: VersionRef | null }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="head">
        <h2>
          <code>{file.path}</code>
        </h2>
        <Kind kind={file.change} />
      </summary>
      {open && <FileLines a={a} b={b} path={file.path} />}
    </details>
  );
}

/** The content of a file at one version, or what differs between two. */
export function FileLines({ a, b, path }: { a: VersionRef | null; b: VersionRef | null; path: string }) {
  const asked = useQuery<'file'>({ query: 'file', a, b, path });
  return (
    <Answered asked={asked}>
      {({ binary, lines, size, notes }) => {
        if (lines !== null && lines.length > 0)
          return <DiffTable lines={lines} label={path} sides={a === null ? 'b' : 'ab'} />;
        const bytes = size.map((it) => (it === null ? null : counted(it, 'byte')));
        const sizes = [a, b].flatMap((side, at) => (side === null ? [] : [notes[at] ?? bytes[at] ?? 'no content']));
        return (
          <p class="dim">
            {binary && 'No text: '}
            {sizes.join(' → ')}
          </p>
        );
      }}
    </Answered>
  );
}
