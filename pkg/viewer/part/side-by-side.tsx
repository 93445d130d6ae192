// The files of a snapshot with what differed from the commit: both sides beside each other where there is room, else
// one below the other.

import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

import type { DiffLine, RevisionFile } from '../work/protocol';
import { words } from './badge';
import { counted } from './count';
import { DiffTable, LINE_HEIGHT, MARKS, NAMES, Text, WHOLE } from './diff-table';
import { TableSpacer } from './spacer';
import { useWindow } from './window';

/** As wide as 100 columns of a terminal. */
const WIDE = '(min-width: 60rem)';

type TextLine = Exclude<DiffLine, { op: '…' }>;

/** One row: a fold, or a line of each side, of which one may be missing. */
type Row = { fold: number } | { a: TextLine | null; b: TextLine | null };

/** The rows of both sides: what came stands beside what went. */
function rowsOf(lines: DiffLine[]): Row[] {
  const rows: Row[] = [];
  let gone: TextLine[] = [];
  let come: TextLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) {
      rows.push({ a: gone[at] ?? null, b: come[at] ?? null });
    }
    gone = [];
    come = [];
  };
  for (const line of lines) {
    if (line.op === '-') {
      if (come.length > 0) flush();
      gone.push(line);
    } else if (line.op === '+') {
      come.push(line);
    } else {
      flush();
      rows.push(line.op === '…' ? { fold: line.count } : { a: line, b: line });
    }
  }
  flush();
  return rows;
}

/** Returns whether both sides have room beside each other. */
function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const changed = (): void => setWide(query.matches);
    changed();
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return wide;
}

function Cells({ line, side }: { line: TextLine | null; side: 'a' | 'b' }): JSX.Element {
  if (line === null) {
    return (
      <>
        <td class="number" />
        <td class="mark" />
        <td class="text" />
      </>
    );
  }
  const tone = line.op === '=' ? '' : NAMES[line.op];
  return (
    <>
      <td class={`number ${tone}`}>{line[side]}</td>
      <td class={`mark ${tone}`}>{MARKS[line.op]}</td>
      <Text op={line.op} parts={line.parts} tone={tone} />
    </>
  );
}

function SideTable({ lines, label }: { lines: DiffLine[]; label: string }): JSX.Element {
  const rows = rowsOf(lines);
  const seen = useWindow(rows.length <= WHOLE ? 0 : rows.length, () => LINE_HEIGHT, label);
  const [from, to] = rows.length <= WHOLE ? [0, rows.length] : [seen.from, seen.to];
  return (
    <table class="diff" aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          {['the commit', 'the snapshot'].map((side) => (
            <>
              <th scope="col" class="number">
                Line in {side}
              </th>
              <th scope="col" class="mark">
                Mark in {side}
              </th>
              <th scope="col">Text in {side}</th>
            </>
          ))}
        </tr>
      </thead>
      <TableSpacer height={seen.above} />
      <tbody ref={seen.ref}>
        {rows.slice(from, to).map((row, of) => (
          <tr key={from + of} data-at={from + of} class={'fold' in row ? 'fold' : ''}>
            {'fold' in row ? (
              <td colSpan={6}>{counted(row.fold, 'unchanged line')}</td>
            ) : (
              <>
                <Cells line={row.a} side="a" />
                <Cells line={row.b} side="b" />
              </>
            )}
          </tr>
        ))}
      </tbody>
      <TableSpacer height={seen.below} />
    </table>
  );
}

function Lines({ lines, path }: { lines: DiffLine[]; path: string }): JSX.Element {
  const wide = useWide();
  if (lines.length === 0) return <p class="dim">No lines of text differ.</p>;
  const label = `What differs in ${path}`;
  return wide ? <SideTable lines={lines} label={label} /> : <DiffTable lines={lines} label={label} />;
}

function FileDifference({ file: { path, list, lines }, isShort }: { file: RevisionFile; isShort: boolean }) {
  const [open, setOpen] = useState(isShort);
  return (
    <li class="card">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="head">
          <h3>
            <code>{path}</code>
          </h3>
          <span class="dim small">{words(list)}</span>
        </summary>
        {open && <Lines lines={lines ?? []} path={path} />}
      </details>
    </li>
  );
}

/** Each file with what differed from the commit; when there are more lines than a page draws together, closed. */
export function FileDifferences({ files }: { files: RevisionFile[] }) {
  const differing = files.filter(({ lines }) => Array.isArray(lines));
  if (differing.length === 0) return null;
  let drawn = 0;
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">
        What differed from the commit <span class="count">{differing.length.toLocaleString()}</span>
      </h2>
      <ul class="cards">
        {differing.map((file) => {
          drawn += file.lines?.length ?? 0;
          return <FileDifference key={file.path} file={file} isShort={drawn <= WHOLE} />;
        })}
      </ul>
    </section>
  );
}
