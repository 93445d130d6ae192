// The selected row. It is a checkpoint, not a place: when the order changes under it, it stays selected.

import { useEffect, useState } from 'preact/hooks';

import { change, list } from '../state/list';
import type { Filter, Key, Row, Sort } from '../work/protocol';
import { progress, useQuery } from '../work/client';

interface SelectionProps {
  filter: Filter;
  sort: Sort;
  total: number;
  rowAt: (index: number) => Row | undefined;
}

export interface Selection {
  /** The row that has the focus, or would get it. */
  selected: number;
  /** True if the user chose it. */
  isChosen: boolean;
  /** True if its place is known. */
  isPlaced: boolean;
  select: (index: number) => void;
}

/** The position of a key, and the list that it is in. */
interface Position {
  key: Key | null;
  index: number;
  in: string;
  /** It was moved to before its row was there, which then says its key. */
  isAwaited?: boolean;
}

export function useSelection({ filter, sort, total, rowAt }: SelectionProps): Selection {
  const { key } = list.value;
  const now = JSON.stringify([filter, sort, progress.value.version]);
  const [current, setCurrent] = useState<Position>({ key: null, index: 0, in: now });

  const isAwaited = current.isAwaited === true;
  const isCurrent = current.key === key && current.in === now;
  const isKnown = key === null || isAwaited || isCurrent || rowAt(current.index)?.key === key;
  const position = useQuery<'position'>(isKnown ? null : { query: 'position', key, filter, sort });
  const at = position.overtaken ? undefined : position.value?.at;
  useEffect(() => {
    if (isKnown || at === undefined) return;
    setCurrent({ key, index: at ?? 0, in: now });
  }, [isKnown, at, key, now]);

  // A row that was chosen before it was there.
  const arrived = isAwaited ? rowAt(current.index) : undefined;
  useEffect(() => {
    if (!isAwaited || arrived === undefined) return;
    setCurrent({ key: arrived.key, index: current.index, in: now });
    change({ key: arrived.key });
  }, [isAwaited, arrived?.key]);

  const select = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined && row.key === list.value.key && index === current.index) return;
    setCurrent({ key: row?.key ?? null, index, in: now, isAwaited: row === undefined });
    if (row !== undefined) change({ key: row.key });
  };
  const selected = total === 0 ? -1 : Math.min(current.index, total - 1);
  return { selected, isChosen: key !== null, isPlaced: current.key !== null && current.key === key, select };
}
