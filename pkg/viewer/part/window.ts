// The items of a long list that are drawn: those in sight, of heights that are estimated first and
// measured as they appear. Beside the element that holds the items stand two spacers, and not a padding
// of it: only so the browser's scroll anchoring holds what is read while estimates are corrected.

import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useActions } from '../state/shortcuts';

/** Drawn above and below what is in sight, in px, so that a key or a wheel finds it there. */
const OVERSCAN = 300;

/** The work on an item that is in sight; `false` where it is to be done again, once its content has come. */
type Then = (item: HTMLElement) => void | false;

/** The part of a list that is drawn: items `from` up to `to`, between spacers of `above` and `below` px. */
export interface Window {
  from: number;
  to: number;
  above: number;
  below: number;
  /** For the element that holds the items; each item bears `data-at`, its place in the list. */
  ref: (element: HTMLElement | null) => void;
  /** Scrolls until the item is drawn and in sight, then calls back with its element, until that is not `false`. */
  show: (at: number, then?: Then) => void;
  /** Gives the focus to the item that is so many further, counted from `near` where none has it. */
  move: (by: number, near?: number) => void;
}

/** The element that scrolls `element`, or null where that is the page. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

/** Tops of the items; the last entry is the height of all. */
function topsOf(count: number, height: (at: number) => number): Float64Array {
  const tops = new Float64Array(count + 1);
  for (let at = 0; at < count; at += 1) tops[at + 1] = tops[at]! + height(at);
  return tops;
}

/** The last item whose top is not below `y`. */
function itemAt(tops: Float64Array, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (tops[middle]! <= y) low = middle;
    else high = middle;
  }
  return low;
}

/** Windows a list. `subject` is what the list is of: with another one, measured heights are forgotten. */
export function useWindow(count: number, estimate: (at: number) => number, subject: unknown): Window {
  const [, draw] = useState(0);
  const self = useRef({
    subject: undefined as unknown,
    count: -1,
    heights: new Map<number, number>(),
    tops: new Float64Array(1) as Float64Array,
    element: null as HTMLElement | null,
    scroller: null as HTMLElement | null,
    range: [0, 0] as [number, number],
    /** The first item that stands on the page. */
    first: 0,
    /** The item that had the focus last. */
    last: -1,
    wanted: null as { at: number; then: Then } | null,
  }).current;

  if (self.subject !== subject || self.count !== count) {
    if (self.subject !== subject) {
      self.heights.clear();
      self.last = -1;
    }
    self.subject = subject;
    self.count = count;
    self.tops = topsOf(count, (at) => self.heights.get(at) ?? estimate(at));
    self.range = rangeOf();
  }

  /** The beginning of the list, from the top of the window, as the first item on the page has it. */
  function originOf(element: HTMLElement): number {
    return element.getBoundingClientRect().top - (self.tops[self.first] ?? 0);
  }

  function rangeOf(): [number, number] {
    if (!self.element) return [0, Math.min(count, 20)];
    const view = self.scroller?.getBoundingClientRect();
    const top = (view ? view.top : 0) - originOf(self.element);
    const height = view ? view.height : innerHeight;
    const from = itemAt(self.tops, top - OVERSCAN);
    return [from, Math.min(count, itemAt(self.tops, top + height + OVERSCAN) + 1)];
  }

  const [from, to] = self.range;
  const focused = document.activeElement;
  const holds = self.element?.contains(focused);
  useLayoutEffect(() => {
    self.first = from;
    // Where items are put elsewhere among others, the browser takes the focus from them.
    if (holds && focused !== document.activeElement && focused instanceof HTMLElement)
      focused.focus({ preventScroll: true });
  });

  const look = useCallback(() => {
    const [from, to] = rangeOf();
    if (from === self.range[0] && to === self.range[1]) return;
    self.range = [from, to];
    draw((n) => n + 1);
  }, [count, subject]);

  useLayoutEffect(() => {
    const { element } = self;
    if (!element) return undefined;
    self.scroller = scrollerOf(element);
    const target = self.scroller ?? window;
    target.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    look();
    return () => {
      target.removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [look]);

  useLayoutEffect(() => {
    if (!self.element) return;
    let changed = false;
    for (const item of self.element.querySelectorAll<HTMLElement>(':scope > [data-at]')) {
      const at = Number(item.dataset.at);
      const { height } = item.getBoundingClientRect();
      if (height && Math.abs(height - (self.heights.get(at) ?? -1)) > 0.5) {
        self.heights.set(at, height);
        changed = true;
      }
    }
    if (changed) self.tops = topsOf(count, (at) => self.heights.get(at) ?? estimate(at));
    if (self.wanted) bring();
    else if (changed) {
      self.range = [-1, -1];
      look();
    }
  });

  /** Goes to the wanted item, once with the estimates and once more where those were wrong. */
  function bring(): void {
    const { wanted, element } = self;
    if (!wanted || !element) return;
    // The list has become shorter: waiting for what never comes would draw without end.
    if (wanted.at >= count) {
      self.wanted = null;
      return;
    }
    const item = element.querySelector<HTMLElement>(`:scope > [data-at="${wanted.at}"]`);
    if (item) {
      item.scrollIntoView({ block: 'nearest' });
      if (wanted.then(item) !== false) self.wanted = null;
      return;
    }
    const to = self.tops[wanted.at]! + originOf(element);
    if (self.scroller) self.scroller.scrollTop += to - self.scroller.getBoundingClientRect().top - 80;
    else scrollBy(0, to - 80);
    self.range = rangeOf();
    if (wanted.at < self.range[0] || wanted.at >= self.range[1]) {
      self.range = [Math.max(0, wanted.at - 5), Math.min(count, wanted.at + 20)];
    }
    draw((n) => n + 1);
  }

  const show: Window['show'] = (at, then = () => undefined) => {
    self.wanted = { at, then };
    bring();
  };
  const move: Window['move'] = (by, near = self.last) => {
    if (count === 0) return;
    const item = document.activeElement?.closest<HTMLElement>('[data-at]');
    const at = item && self.element?.contains(item) ? Number(item.dataset.at) : near;
    self.last = Math.max(0, Math.min(count - 1, at + by));
    show(self.last, focus);
  };
  return {
    from,
    to,
    above: self.tops[from] ?? 0,
    below: (self.tops[count] ?? 0) - (self.tops[to] ?? 0),
    ref: (element) => {
      self.element = element;
    },
    show,
    move,
  };
}

/** Gives the focus to an item's link; to the item itself where it has none, or none yet. */
function focus(item: HTMLElement): void | false {
  const link = item.querySelector('a');
  if (!link) item.tabIndex = -1;
  (link ?? item).focus({ preventScroll: true });
  return item.getAttribute('aria-busy') === 'true' ? false : undefined;
}

/** The keys that go through a list; `near` is the item that is looked at elsewhere. */
export function useMoves({ move }: Window, near?: number): void {
  useActions({
    next: () => move(1, near),
    previous: () => move(-1, near),
    first: () => move(-Infinity),
    last: () => move(Infinity),
  });
}
