// Choosing a stretch of a timeline by dragging over it, with mouse, pen or finger.

import { useRef, useState } from 'preact/hooks';

import type { Plot } from './chart';
import { rangeBetween, type Range } from './scale';

/** A pointer that moves less than this is still a click, in px. */
const DRAG = 5;

type PlotEvent = PointerEvent & { currentTarget: HTMLElement };

export interface Brush {
  /** The range that is selected and not yet shown. */
  selection: Range | null;
  select: (range: Range | null) => void;
  /** The position of the pointer, in px. */
  cursor: number | null;
  /** For the element that is dragged over. */
  handlers: Record<string, (event: never) => void>;
}

/** @param zoom what a stretch that was let go of is given to */
export function useBrush(plot: Plot, zoom: (to: Range) => void): Brush {
  const [selection, select] = useState<Range | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const from = useRef<number | null>(null);
  const dragged = useRef(false);

  const at = (event: PlotEvent): number => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(plot.width, event.clientX - left));
  };
  const stretch = (px: number): Range => rangeBetween(plot.toX(from.current ?? px), plot.toX(px));
  const end = (): void => {
    from.current = null;
    select(null);
  };

  const handlers = {
    onPointerDown(event: PlotEvent): void {
      dragged.current = false;
      if (event.button === 0) from.current = at(event);
    },
    onPointerMove(event: PlotEvent): void {
      const px = at(event);
      if (event.pointerType === 'mouse') setCursor(px);
      if (from.current === null) return;
      if (!dragged.current) {
        if (Math.abs(px - from.current) < DRAG) return;
        dragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      select(stretch(px));
    },
    onPointerUp(event: PlotEvent): void {
      if (dragged.current && from.current !== null) zoom(stretch(at(event)));
      end();
    },
    onPointerCancel: end,
    onPointerLeave: (): void => setCursor(null),
    // A link that a drag begins or ends on is not meant.
    onClickCapture(event: MouseEvent): void {
      if (!dragged.current) return;
      dragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onDragStart: (event: DragEvent): void => event.preventDefault(),
  };
  return { selection, select, cursor, handlers };
}
