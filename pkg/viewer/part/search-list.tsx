// A list that is searched as one types, of which what is in sight is drawn.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

import { address, go, withQuery } from '../state/address';
import { announce } from '../state/announce';
import { useActions } from '../state/shortcuts';
import { pick } from '../state/picks';
import type { Answer, Name, Query } from '../work/protocol';
import { useQuery, type QueryState } from '../work/client';
import { Answered, usePlace } from './answer';
import { counted } from './count';
import { Spacer } from './spacer';
import { useMoves, useWindow } from './window';

/** So many rows are asked for first, and so many more when the end of them comes near. */
const BLOCK = 100;

export interface Search {
  text: string;
  count: number;
  more: (count: number) => void;
}

/** The rows that a question for a list is about. */
interface Part {
  filter: { text: string };
  from: number;
  count: number;
}

/** The search of a list, whose text is in the address, and the state of the question for its rows. */
export function useSearch<N extends Name>(
  question: (part: Part) => Query<N>,
): { search: Search; asked: QueryState<Answer<Query<N>>, Query<N>> } {
  const [count, more] = useState(BLOCK);
  const text = address.value.query.get('q') ?? '';
  const asked = useQuery<N>(question({ filter: { text }, from: 0, count }));
  return { search: { text, count, more }, asked };
}

interface Props<R> {
  /** The name of a row; the plural is this with an s. */
  noun: string;
  title: string;
  search: Search;
  asked: QueryState<{ total: number; matching: number; rows: R[] }>;
  /** About the height of a row, in px. */
  height: (row: R | undefined) => number;
  row: (row: R) => ComponentChildren;
  none: ComponentChildren;
}

export function SearchList<R>({ noun, title, search, asked, height, row, none }: Props<R>) {
  const field = useRef<HTMLInputElement>(null);
  usePlace(asked);
  useActions({ search: () => field.current?.focus() });
  return (
    <div class="page">
      <h1 class="unseen">{title}</h1>
      <div class="bar" role="search">
        <input
          ref={field}
          type="search"
          aria-label={`Search ${noun}s`}
          placeholder="Search"
          aria-keyshortcuts="/"
          spellcheck={false}
          value={search.text}
          onInput={(event) => go(withQuery({ q: event.currentTarget.value }), 'replace')}
        />
      </div>
      <Answered asked={asked}>
        {(value) =>
          value.total === 0 ? none : <Rows noun={noun} search={search} value={value} height={height} row={row} />
        }
      </Answered>
    </div>
  );
}

type RowsProps<R> = Pick<Props<R>, 'noun' | 'search' | 'height' | 'row'> & {
  value: { total: number; matching: number; rows: R[] };
};

function Rows<R>({ noun, search, value: { total, matching, rows }, height, row }: RowsProps<R>) {
  const seen = useWindow(matching, (at) => height(rows[at]), search.text);
  const all = counted(total, noun);
  const many = matching === total ? all : `${matching.toLocaleString()} of ${all}`;

  useEffect(() => {
    if (seen.to > search.count - BLOCK / 2 && search.count < matching) search.more(seen.to + BLOCK);
  });
  useEffect(() => {
    if (search.text !== '') announce(many);
  }, [many]);

  useMoves(seen);
  useActions({
    pick: () => {
      const link = document.activeElement?.closest<HTMLElement>('[data-key]');
      if (!link) return false;
      pick({ key: link.dataset.key ?? '', revision: null }, link.textContent ?? '');
      return undefined;
    },
  });

  return (
    <>
      <p class="dim small">{many}</p>
      {matching === 0 && <p class="notice">Nothing matches “{search.text}”.</p>}
      <Spacer height={seen.above} />
      <ol class="rows" aria-label={`${noun}s`} ref={seen.ref}>
        {Array.from({ length: seen.to - seen.from }, (_, offset) => {
          const at = seen.from + offset;
          const it = rows[at];
          return (
            <li key={at} data-at={at} aria-setsize={matching} aria-posinset={at + 1} aria-busy={it === undefined}>
              {it === undefined ? '…' : row(it)}
            </li>
          );
        })}
      </ol>
      <Spacer height={seen.below} />
    </>
  );
}
