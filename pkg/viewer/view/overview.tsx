// Every checkpoint: found, filtered, in the order of what needs attention.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { CheckpointRow } from '../part/checkpoint-row';
import { Facets } from '../part/facets';
import { type Range, type Shown, Virtual } from '../part/virtual';
import { go, href } from '../state/address';
import { announce } from '../state/announce';
import { beforeLeaving, useActions } from '../state/shortcuts';
import { activeFilter, change, clear, filterBy, isFiltered, list, write } from '../state/list';
import { selectedKey } from '../state/page';
import { pick, pickQuery } from '../state/picks';
import { program, shape } from '../state/shape';
import type { Overview as Answer, Row, Sort } from '../work/protocol';
import { progress, source, useQuery } from '../work/client';
import { type Selection, useSelection } from './selection';
import { Welcome } from './welcome';

/** Rows are asked for in blocks, so that most movements find them there. */
const BLOCK = 50;

const SORTS: { sort: Sort; text: string }[] = [
  { sort: 'attention', text: 'Needs attention' },
  { sort: 'updated', text: 'Last changed' },
  { sort: 'name', text: 'Name' },
];

const POSITION_NAME = 'overview';

const number = new Intl.NumberFormat();

export function Overview() {
  const [range, setRange] = useState<Range>({ from: 0, count: BLOCK });
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [facetsOpen, setFacetsOpen] = useState(false);

  const filter = activeFilter(list.value);
  const { sort } = list.value;
  const answer = useQuery<'overview'>({ query: 'overview', filter, sort, ...range });
  const { value } = answer;
  const rowAt = useCallback((index: number) => rowOf(answer, index), [answer]);
  const selection = useSelection({ filter, sort, total: value?.matching ?? 0, rowAt });
  const { selected } = selection;
  const selectedRow = rowAt(selected);
  selectedKey.value = list.value.key;

  useCounts(value);
  const [shown, setShown] = useState<Shown>({ index: -1, isFocused: false });
  useLinked(selection, setShown);
  const move = (to: number) => {
    const index = Math.max(0, Math.min(to, (value?.matching ?? 0) - 1));
    selection.select(index);
    setShown({ index, isFocused: true });
  };
  const open = () => {
    if (selectedRow === undefined) return;
    write();
    go(href('timeline', selectedRow.key, pickQuery()));
  };
  useActions({
    ...beforeLeaving(write),
    next: () => move(selection.isChosen ? selected + 1 : selected),
    previous: () => move(selected - 1),
    first: () => move(0),
    last: () => move((value?.matching ?? 1) - 1),
    open,
    search: () => search.current?.select(),
    facets() {
      setFacetsOpen(true);
      requestAnimationFrame(() => page.current?.querySelector<HTMLElement>('.facets input')?.focus());
    },
    pick() {
      if (selectedRow !== undefined) pick({ key: selectedRow.key, revision: null }, selectedRow.title);
    },
    back() {
      const isSearching = document.activeElement === search.current;
      if (isSearching && search.current?.value === '') move(selected);
      else if (isFiltered(list.value)) clear();
      else if (facetsOpen) setFacetsOpen(false);
      else return false;
      return undefined;
    },
  });

  return (
    <div class="overview" ref={page}>
      <h1 class="unseen">All runs</h1>
      <div class="tools" role="search">
        <input
          ref={search}
          type="search"
          value={list.value.filter.text ?? ''}
          placeholder="Search"
          aria-label="Search runs"
          aria-keyshortcuts="/"
          spellcheck={false}
          onInput={(event) => filterBy({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault();
              move(selected);
            }
          }}
        />
        <label>
          <span class="small dim">Sort</span>{' '}
          <select value={sort} onChange={(event) => change({ sort: event.currentTarget.value as Sort })}>
            {SORTS.map(({ sort, text }) => (
              <option key={sort} value={sort}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="facets-toggle"
          aria-expanded={facetsOpen}
          aria-controls="facets"
          aria-keyshortcuts="f"
          onClick={() => setFacetsOpen(!facetsOpen)}
        >
          Filters
        </button>
        <span class="count small dim">{value !== undefined && counts(value)}</span>
        {isFiltered(list.value) && (
          <button type="button" class="quiet" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
      <Facets id="facets" isOpen={facetsOpen} facets={value?.facets} />
      <div class="list" aria-busy={answer.pending} data-chosen={selection.isChosen || undefined}>
        {answer.error !== undefined && (
          <p class="trouble" role="alert">
            {answer.error.message}
          </p>
        )}
        {value !== undefined && value.matching === 0 ? (
          <Nothing value={value} />
        ) : (
          <Virtual
            label="Runs"
            positionName={POSITION_NAME}
            total={value?.matching ?? 0}
            selected={selected}
            shown={shown}
            onSelect={selection.select}
            onRange={(near) => setRange((range) => widened(near, range))}
            row={(index, tabIndex) => <CheckpointRow row={rowAt(index)} tabIndex={tabIndex} />}
          />
        )}
      </div>
    </div>
  );
}

/** A row of an answer, where the answer has it. */
function rowOf({ value, question }: { value: Answer | undefined; question?: { from: number } | undefined }, index: number): Row | undefined {
  return question === undefined ? undefined : value?.rows[index - question.from];
}

/** The range to ask for: nothing new as long as the rows near the window are there. */
function widened(near: Range, range: Range): Range {
  if (near.from >= range.from && near.from + near.count <= range.from + range.count) return range;
  const from = Math.max(0, Math.floor((near.from - BLOCK / 2) / BLOCK) * BLOCK);
  const end = Math.ceil((near.from + near.count + BLOCK / 2) / BLOCK) * BLOCK;
  return { from, count: end - from };
}

function counts({ matching, total }: Answer): string {
  const all = `${number.format(total)} ${total === 1 ? 'run' : 'runs'}`;
  return matching === total ? all : `${number.format(matching)} of ${all}`;
}

/** Brings the row that a link names into sight; in a list that did not change, it gets the focus again. */
function useLinked({ isPlaced, selected }: Selection, show: (shown: Shown) => void): void {
  const isLeft = useRef(typeof history.state?.[POSITION_NAME] === 'number');
  // Where the address names no row, the first one that is placed is one that the user moved to.
  const isDone = useRef(list.value.key === null);
  useEffect(() => {
    if (!isPlaced || isDone.current) return;
    isDone.current = true;
    show({ index: selected, isFocused: isLeft.current });
  }, [isPlaced]);
}

/** Says how many are left, when that has changed and everything has been read. */
function useCounts(value: Answer | undefined): void {
  const text = value === undefined ? '' : counts(value);
  const before = useRef('');
  useEffect(() => {
    if (before.current !== '' && progress.value.pending === 0) announce(text);
    before.current = text;
  }, [text]);
}

function Nothing({ value }: { value: Answer }) {
  if (value.total > 0) {
    return (
      <section class="notice">
        <h2>Nothing matches</h2>
        <p>None of {number.format(value.total)} runs fits the search and the filters.</p>
        <button type="button" onClick={clear}>
          Clear filters
        </button>
      </section>
    );
  }
  // Newer rows are on their way.
  const isBehind = progress.value.pending > 0 || progress.value.indexed > 0;
  if (isBehind || source.value.connection === 'opening') return <p class="notice waiting dim">Reading …</p>;
  return (
    <section class="notice">
      <h2>No runs yet</h2>
      <p>
        <code>.claude/state</code> has none. The first one is made by an agent's hooks, or with{' '}
        <code>{program} phase COMMAND PHASE in_progress</code>.
      </p>
      {shape === 'hosted' && <Welcome />}
    </section>
  );
}
