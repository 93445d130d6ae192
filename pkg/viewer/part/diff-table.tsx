// The lines of a text's difference, as a table: numbers of both sides, a mark, the text. A change
// is shown by the mark and by `ins` and `del`, never by colour alone.

import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

import type { DiffLine } from '../work/protocol';
import { counted } from './count';
import { TableSpacer } from './spacer';
import { useWindow } from './window';

/** Characters of one line that are laid out without being asked for: a line of a megabyte stops a page. */
const LINE_LIMIT = 4000;

/** Tables of so many lines are drawn as a whole. */
export const WHOLE = 200;

export const LINE_HEIGHT = 20;

export const MARKS = { '=': '', '-': '−', '+': '+' } as const;
export const NAMES = { '=': 'same', '-': 'removed', '+': 'added' } as const;

/** Of which sides the lines have numbers. */
type Sides = 'ab' | 'b' | '';

type Part = { text: string; mark: boolean };

/** The parts up to the limit, and how many characters that leaves out. */
function cut(parts: Part[]): { parts: Part[]; more: number } {
  let room = LINE_LIMIT;
  let more = 0;
  const kept: Part[] = [];
  for (const part of parts) {
    const text = part.text.slice(0, room);
    if (text) kept.push({ text, mark: part.mark });
    room -= text.length;
    more += part.text.length - text.length;
  }
  return { parts: kept, more };
}

/** The text of a line; `tone` is the class of a cell that has another colour than its row. */
export function Text({ op, parts, tone = '' }: { op: '=' | '-' | '+'; parts: Part[]; tone?: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const shown = whole ? { parts, more: 0 } : cut(parts);
  const piece = ({ text, mark }: Part): ComponentChildren =>
    !mark || op === '=' ? text : op === '+' ? <ins>{text}</ins> : <del>{text}</del>;
  return (
    <td class={`text ${tone}`}>
      {shown.parts.map(piece)}
      {shown.more > 0 && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          … {counted(shown.more, 'more character')}
        </button>
      )}
    </td>
  );
}

function Line({ line, at, sides }: { line: DiffLine; at: number; sides: Sides }): JSX.Element {
  if (line.op === '…') {
    return (
      <tr data-at={at} class="fold">
        <td colSpan={4}>{counted(line.count, 'unchanged line')}</td>
      </tr>
    );
  }
  return (
    <tr data-at={at} class={NAMES[line.op]}>
      {sides.includes('a') && <td class="number">{line.a}</td>}
      {sides.includes('b') && <td class="number">{line.b}</td>}
      <td class="mark">{MARKS[line.op]}</td>
      <Text op={line.op} parts={line.parts} />
    </tr>
  );
}

/** A difference line by line. `label` names the table to those who do not see what stands around it. */
export function DiffTable({
  lines,
  label,
  sides = 'ab',
}: {
  lines: DiffLine[];
  label: string;
  sides?: Sides;
}): JSX.Element {
  const seen = useWindow(lines.length <= WHOLE ? 0 : lines.length, () => LINE_HEIGHT, label);
  const [from, to] = lines.length <= WHOLE ? [0, lines.length] : [seen.from, seen.to];
  return (
    <table class="diff" aria-label={label} aria-rowcount={lines.length + 1}>
      <thead>
        <tr>
          {[...sides].map((side) => (
            <th key={side} scope="col" class="number">
              Line in {side.toUpperCase()}
            </th>
          ))}
          <th scope="col" class="mark">
            Mark
          </th>
          <th scope="col">Text</th>
        </tr>
      </thead>
      <TableSpacer height={seen.above} />
      <tbody ref={seen.ref}>
        {lines.slice(from, to).map((line, of) => (
          <Line key={from + of} line={line} at={from + of} sides={sides} />
        ))}
      </tbody>
      <TableSpacer height={seen.below} />
    </table>
  );
}

/** A list's items with their marks. */
export function DiffList({
  items,
  label,
}: {
  items: { op: '=' | '-' | '+'; text: string }[];
  label: string;
}): JSX.Element {
  const line = ({ op, text }: { op: '=' | '-' | '+'; text: string }): DiffLine => ({
    op,
    a: null,
    b: null,
    parts: [{ text, mark: false }],
  });
  return <DiffTable lines={items.map(line)} label={label} sides="" />;
}
