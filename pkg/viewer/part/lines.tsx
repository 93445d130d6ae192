// A text of any length with the numbers of its lines, of which only those in sight are drawn. Where it is higher
// than a browser can scroll, the scroll bar stands for more than it shows.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

const LINE_HEIGHT = 20;

/** A longer line goes on in the next row: a browser takes seconds to lay out one of a megabyte. */
const ROW = 1000;

/** Browsers stop to grow an element at some 17 to 33 million px. */
const HIGHEST = 10_000_000;

const BESIDE = 10;

/** The beginning of each row; the second list has the number of its line, 0 where the line only goes on. */
interface Rows {
  starts: Uint32Array;
  numbers: Uint32Array;
  count: number;
}

function rowsOf(text: string): Rows {
  let starts = new Uint32Array(1024);
  let numbers = new Uint32Array(1024);
  let count = 0;
  const push = (start: number, number: number): void => {
    if (count === starts.length) {
      const [old, read] = [starts, numbers];
      starts = new Uint32Array(count * 2);
      numbers = new Uint32Array(count * 2);
      starts.set(old);
      numbers.set(read);
    }
    starts[count] = start;
    numbers[count] = number;
    count += 1;
  };
  let number = 0;
  for (let at = 0; at <= text.length;) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    if (at === text.length && number > 0) break;
    push(at, ++number);
    for (let next = at + ROW; next < end; next += ROW) push(next, 0);
    at = end + 1;
  }
  return { starts, numbers, count };
}

export function Lines({ text, label }: { text: string; label: string }) {
  const { starts, numbers, count } = useMemo(() => rowsOf(text), [text]);
  const pane = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });

  useLayoutEffect(() => {
    const { current } = pane;
    if (!current) return undefined;
    const look = (): void => setView({ top: current.scrollTop, height: current.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);

  const all = count * LINE_HEIGHT;
  const height = Math.min(all, HIGHEST);
  // From where the bar is to where the text is: the same, unless the text is too high.
  const scale = height > view.height ? (all - view.height) / (height - view.height) : 1;
  const top = view.top * scale;
  const from = Math.max(0, Math.floor(top / LINE_HEIGHT) - BESIDE);
  const to = Math.min(count, Math.ceil((top + view.height) / LINE_HEIGHT) + BESIDE);
  const rows = [];
  for (let at = from; at < to; at += 1) {
    const next = at + 1 < count ? starts[at + 1]! : text.length;
    rows.push(
      <div key={at} class="line">
        <span class="number" aria-hidden="true">
          {numbers[at] || ''}
        </span>
        <span class="text">{text.slice(starts[at], next).replace(/\n$/, '')}</span>
      </div>,
    );
  }
  return (
    <div
      class="lines"
      ref={pane}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ '--digits': String(String(count).length) }}
    >
      <div style={{ height: `${height}px` }}>
        <pre style={{ transform: `translateY(${view.top - (top - from * LINE_HEIGHT)}px)` }}>{rows}</pre>
      </div>
    </div>
  );
}
