// A table of what is not many: a caption, heads, cells of any kind.

import type { ComponentChildren } from 'preact';

export interface Column<R> {
  head: string;
  cell: (row: R) => ComponentChildren;
  /** The cell that names its row. */
  isName?: boolean;
}

interface Props<R> {
  caption: string;
  /** Whether the caption is for screen readers alone, where a heading says the same. */
  captionUnseen?: boolean;
  columns: Column<R>[];
  rows: R[];
  keyOf: (row: R) => string;
}

export function Table<R>({ caption, captionUnseen = false, columns, rows, keyOf }: Props<R>) {
  return (
    <table>
      <caption class={captionUnseen ? 'unseen' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head }) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, isName }) =>
              isName ? (
                <th key={head} scope="row" data-head={head}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} data-head={head}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
