// Times as people read them, in the language and the zone of the browser.

import { signal } from '@preact/signals';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The present time, renewed often enough for an age in minutes. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 20 * SECOND);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});

const AGE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

// The first times take a while, which nothing is waited for yet.
setTimeout(() => {
  age(now.value);
  dateTime(now.value);
});

/** `5 min. ago`, `vor 5 Min.`; a time to come is shown as such. */
export function age(ms: number, at: number = now.value): string {
  const passed = ms - at;
  const size = Math.abs(passed);
  if (size < MINUTE) return AGE.format(0, 'minute');
  if (size < HOUR) return AGE.format(Math.trunc(passed / MINUTE), 'minute');
  if (size < DAY) return AGE.format(Math.trunc(passed / HOUR), 'hour');
  if (size < 60 * DAY) return AGE.format(Math.trunc(passed / DAY), 'day');
  return DATE.format(ms);
}

/** Date and time; what is no time stays as it is written. */
export function dateTime(time: string | number): string {
  return format(DATE_TIME, time);
}

/** The time of day. */
export function clock(time: string | number): string {
  return format(CLOCK, time);
}

export function date(time: string | number): string {
  return format(DATE, time);
}

/** `3 d 4 h`, `12 min 5 s`: the two largest units. */
export function duration(ms: number): string {
  return inUnits(ms, 2, Math.floor);
}

/** `+1 d 3 h 5 min`, `+2.5 s`: the time since a beginning, to the millisecond. */
export function elapsed(ms: number): string {
  return `+${inUnits(ms, 4, (seconds) => Math.round(seconds * SECOND) / SECOND)}`;
}

/** The largest units that are not zero, `most` of them; `rounded` makes a number of seconds. */
function inUnits(ms: number, most: number, rounded: (seconds: number) => number): string {
  const units: [string, number][] = [['d', DAY], ['h', HOUR], ['min', MINUTE], ['s', SECOND]];
  const parts: string[] = [];
  let rest = Math.max(0, ms);
  for (const [name, size] of units) {
    const count = (size === SECOND ? rounded : Math.floor)(rest / size);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return parts.slice(0, most).join(' ') || '0 s';
}

function format(how: Intl.DateTimeFormat, time: string | number): string {
  const ms = typeof time === 'number' ? time : Date.parse(time);
  return Number.isFinite(ms) ? how.format(ms) : String(time);
}
