// The filters, each value with how many checkpoints have it: as many as there will be when it is chosen.

import { useState } from 'preact/hooks';

import { visible } from '../../src/base/visible.js';
import { filterBy, list, toggle } from '../state/list';
import type { Facet, FacetValue } from '../work/protocol';
import { words } from './badge';

const FACETS: { facet: Facet; title: string }[] = [
  { facet: 'status', title: 'Status' },
  { facet: 'badge', title: 'Badges' },
  { facet: 'phase', title: 'Phase' },
  { facet: 'command', title: 'Command' },
];

/** Of each, until more are asked for. */
const FIRST = 10;
const MORE = 40;

const number = new Intl.NumberFormat();

interface Props {
  id: string;
  isOpen: boolean;
  facets: Record<Facet, FacetValue[]> | undefined;
}

export function Facets({ id, isOpen, facets }: Props) {
  const { file = '' } = list.value.filter;
  return (
    <aside id={id} class="facets" data-open={isOpen || undefined} aria-label="Filters">
      {FACETS.map(({ facet, title }) => (
        <FacetList key={facet} facet={facet} title={title} values={facets?.[facet] ?? []} />
      ))}
      <fieldset>
        <legend>Changed</legend>
        <Day label="From" time={list.value.filter.after} onChange={(after) => filterBy({ after })} />
        <Day label="To" time={list.value.filter.before} isEnd onChange={(before) => filterBy({ before })} />
      </fieldset>
      <fieldset>
        <legend>File</legend>
        <input
          type="text"
          value={file}
          placeholder="src/auth"
          aria-label="A file that was created or modified"
          spellcheck={false}
          onInput={(event) => filterBy({ file: event.currentTarget.value })}
        />
      </fieldset>
    </aside>
  );
}

function FacetList({ facet, title, values }: { facet: Facet; title: string; values: FacetValue[] }) {
  const [most, setMost] = useState(FIRST);
  const chosen = list.value.filter[facet] ?? [];
  const gone = chosen.filter((value) => !values.some((it) => it.value === value)).map((value) => ({ value, count: 0 }));
  const all = [...gone, ...values];
  const shown = all.filter(({ value }, at) => at < most || chosen.includes(value));
  if (all.length === 0) return null;
  return (
    <fieldset>
      <legend>{title}</legend>
      {shown.map(({ value, count }) => (
        <label key={value} class="choice">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(facet, value)} />
          <bdi>{visible(facet === 'status' || facet === 'badge' ? words(value) : value)}</bdi>
          <span class="dim">{number.format(count)}</span>
        </label>
      ))}
      {shown.length < all.length && (
        <button type="button" class="quiet small" onClick={() => setMost(most + MORE)}>
          {number.format(all.length - shown.length)} more
          <span class="unseen"> of {title}</span>
        </button>
      )}
    </fieldset>
  );
}

interface DayProps {
  label: string;
  time: string | null | undefined;
  /** The day's end is meant, not its start. */
  isEnd?: boolean;
  onChange: (time: string | null) => void;
}

/** A day of the browser's time zone. */
function Day({ label, time, isEnd = false, onChange }: DayProps) {
  const read = (text: string) => {
    const start = new Date(`${text}T00:00:00`);
    if (Number.isNaN(start.getTime())) return onChange(null);
    if (isEnd) start.setDate(start.getDate() + 1);
    onChange(new Date(start.getTime() - (isEnd ? 1 : 0)).toISOString());
  };
  return (
    <label class="day">
      <span class="dim">{label}</span>
      <input type="date" value={dayOf(time)} onChange={(event) => read(event.currentTarget.value)} />
    </label>
  );
}

/** The day that a time is on, as a field for dates has it. */
function dayOf(time: string | null | undefined): string {
  const found = new Date(time ?? '');
  if (Number.isNaN(found.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${found.getFullYear()}-${two(found.getMonth() + 1)}-${two(found.getDate())}`;
}
