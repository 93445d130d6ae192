// Every view of the sample project by its address, and how a test knows that it is there.

import { RICH, THREAD } from './data/sample.mjs';
import { addressOf } from './data/threads.mjs';

const rich = encodeURIComponent(RICH);
const session = encodeURIComponent('s/chk-20260305-111700');
const task = encodeURIComponent(`t/${encodeURIComponent('T017 print styles')}/${encodeURIComponent('T017 print styles at 2')}`);

/** The key that is pressed once the address is there, if any. */
export const VIEWS = [
  { name: 'overview', address: '#/overview' },
  { name: 'filters', address: '#/overview', press: ['f'] },
  { name: 'nothing found', address: '#/overview?q=nothing%20says%20this' },
  { name: 'timeline', address: `#/timeline/${rich}` },
  { name: 'revision', address: `#/revision/${rich}?at=18` },
  { name: 'compare', address: `#/compare?a=${encodeURIComponent(`${RICH}@8`)}&b=${encodeURIComponent(`${RICH}@18`)}` },
  { name: 'compare sessions', address: '#/compare?a=s%2Fchk-20260303-100000&b=s%2Fchk-20260305-111700' },
  { name: 'blame', address: `#/blame/${rich}` },
  { name: 'sessions', address: '#/sessions' },
  { name: 'session', address: `#/revision/${session}` },
  { name: 'tasks', address: '#/tasks' },
  { name: 'task', address: `#/revision/${task}` },
  { name: 'threads', address: '#/threads' },
  { name: 'thread', address: addressOf(THREAD) },
  { name: 'corrupt', address: `#/timeline/${encodeURIComponent('c/implement-import')}` },
  { name: 'doctor', address: '#/doctor' },
  { name: 'help', address: '#/overview', press: ['?'] },
];

/** Returns whether all that was asked for has come. Sent to the page. */
export const isSettled = () =>
  document.querySelector('main') !== null &&
  document.querySelector('[aria-busy=true], .waiting, .loading, [data-connection=opening]') === null &&
  !['', 'Loading …'].includes(document.querySelector('main').innerText.trim());

/** Goes to an address, and waits until the page has read it and drawn what it has of it: nothing, or that it reads. */
export async function go(visitor, address) {
  await visitor.ask(async (to) => {
    const isRead = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    const before = location.href;
    location.hash = to;
    if (location.href !== before) await isRead;
  }, address);
  await visitor.drawn();
}

/** Goes to a view in a tab that is let in, and waits for what it shows. */
export async function show(visitor, { address, press = [] }) {
  await go(visitor, address);
  await visitor.until(`${address} is there`, (to) => location.hash.startsWith(to.split('?')[0]), address);
  await visitor.until(`${address} is settled`, isSettled);
  await visitor.press(...press);
  if (press.includes('?')) await visitor.until('the dialog', () => document.querySelector('dialog[open]') !== null);
}

/** Closes what `show` opened with a key. */
export async function leave(visitor, { press = [] }) {
  if (press.length > 0) await visitor.press('Escape');
  await visitor.until('no dialog', () => document.querySelector('dialog[open]') === null);
}
