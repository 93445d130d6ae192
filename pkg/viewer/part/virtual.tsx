// A list of any length of which only what is near the window is on the page. All rows have the height that the
// style sheet gives them (`--row`), which a hidden row measures: it changes with the window and the size of text.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useScrollPosition } from '../state/scroll';

/** Rows above and below the window, so that moving on shows what is there already. */
const BESIDE = 8;

/** A row that is to be in sight, and whether it gets the focus. */
export interface Shown {
  index: number;
  isFocused: boolean;
}

export interface Range {
  from: number;
  count: number;
}

interface Props {
  /** The name of the list, for screen readers. */
  label: string;
  total: number;
  /** The item that has the focus, or would have it. */
  selected: number;
  /** The row that is to be in sight now; each new object scrolls once. */
  shown: Shown;
  /** Called with the rows near the window. */
  onRange: (range: Range) => void;
  onSelect: (index: number) => void;
  /** The content of a row; its element with `tabIndex` is what gets the focus. */
  row: (index: number, tabIndex: 0 | -1) => ComponentChildren;
  /** The name of its scroll position in the entry of the history. */
  positionName: string;
}

/** The last measurement: a list that comes back begins with it, and the browser need not lay out the page for that. */
let known = { row: 0, pane: 0 };

export function Virtual({ label, total, selected, shown, onRange, onSelect, row, positionName }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(known);
  const [top, setTop] = useState(0);
  useScrollPosition(pane, positionName, size.row > 0 && total > 0);

  useLayoutEffect(() => {
    const measure = () => {
      const next = { row: probe.current?.offsetHeight ?? 0, pane: pane.current?.clientHeight ?? 0 };
      if (known.row !== next.row || known.pane !== next.pane) known = next;
      setSize(known);
    };
    if (known.row === 0) measure();
    // It also reports the beginning.
    const observer = new ResizeObserver(measure);
    for (const { current } of [pane, probe]) if (current !== null) observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const range = rangeOf(top, size, total);
  useEffect(() => onRange(range), [range.from, range.count]);
  useShown(pane, shown, size.row);
  useFocus(pane, shown);

  const rows: ComponentChildren[] = [];
  const near = Array.from({ length: range.count }, (_, at) => range.from + at);
  // The row that has the focus stays, regardless of the window's place.
  if (selected >= 0 && selected < total && !near.includes(selected)) {
    if (selected < range.from) near.unshift(selected);
    else near.push(selected);
  }
  for (const index of near) {
    rows.push(
      <li
        key={index}
        class="row"
        aria-setsize={total}
        aria-posinset={index + 1}
        data-index={index}
        data-selected={index === selected || undefined}
        style={{ transform: `translateY(${index * size.row}px)` }}
        onFocusIn={() => onSelect(index)}
      >
        {row(index, index === selected ? 0 : -1)}
      </li>,
    );
  }
  return (
    <div class="virtual" ref={pane} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <div class="row probe" ref={probe} aria-hidden="true" />
      <ul role="list" aria-label={label} style={{ height: `${total * size.row}px` }}>
        {rows}
      </ul>
    </div>
  );
}

function rangeOf(top: number, size: { row: number; pane: number }, total: number): Range {
  if (size.row === 0) return { from: 0, count: 0 };
  const from = Math.max(0, Math.min(Math.floor(top / size.row) - BESIDE, total - 1));
  const end = Math.min(total, Math.ceil((top + size.pane) / size.row) + BESIDE);
  return { from, count: Math.max(0, end - from) };
}

/** Scrolls as little as brings a row into sight. */
function useShown(pane: { current: HTMLDivElement | null }, shown: Shown, height: number): void {
  const { index } = shown;
  const done = useRef<unknown>(null);
  useLayoutEffect(() => {
    const { current } = pane;
    if (current === null || height === 0 || index < 0 || done.current === shown) return;
    done.current = shown;
    const [start, end] = [index * height, (index + 1) * height];
    if (start < current.scrollTop) current.scrollTop = start;
    else if (end > current.scrollTop + current.clientHeight) current.scrollTop = end - current.clientHeight;
  }, [shown, height]);
}

/** Gives the focus to a row once it is on the page, and again when its content comes. */
function useFocus(pane: { current: HTMLDivElement | null }, shown: Shown): void {
  const due = useRef<Shown | null>(null);
  useLayoutEffect(() => {
    due.current = shown.isFocused ? shown : null;
  }, [shown]);
  useLayoutEffect(() => {
    if (due.current !== shown) return;
    const entry = pane.current?.querySelector<HTMLElement>(`[data-index="${shown.index}"] .entry`);
    if (entry == null) return;
    if (document.activeElement !== entry) entry.focus({ preventScroll: true });
    if (entry.getAttribute('aria-busy') !== 'true') due.current = null;
  });
}
