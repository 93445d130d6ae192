// Links hold the place of a user: view, selection, filter, order and pair.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Chance } from '../data/chance.mjs';
import { RICH } from '../data/sample.mjs';
import { show } from '../views.mjs';
import { listed, visit } from './fixture.mjs';

/** So many states of the page, by chance with a seed. */
const STATES = 200;

function state(chance) {
  const query = new URLSearchParams();
  const maybe = (name, values) => {
    if (chance.number(2) === 0) query.append(name, chance.of(values));
  };
  const view = chance.of(['overview', 'timeline', 'revision', 'blame', 'compare', 'sessions', 'tasks', 'doctor']);
  const version = () => `${RICH}@${1 + chance.number(22)}`;
  if (view === 'compare' || chance.number(3) === 0) query.set('a', version());
  if (view === 'compare' || (query.has('a') && chance.number(2) === 0)) query.set('b', version());
  if (view === 'revision') query.set('at', String(1 + chance.number(22)));
  if (view === 'overview') {
    maybe('q', ['a', 'index', 'dark mode', 'ü & ?#/%25', '"quoted"']);
    maybe('status', ['failed', 'in_progress', 'complete']);
    maybe('command', ['implement', 'design']);
    maybe('sort', ['name', 'updated']);
    maybe('at', [RICH, 'c/review-feeds']);
  }
  const key = ['timeline', 'revision', 'blame'].includes(view) ? `/${encodeURIComponent(RICH)}` : '';
  const text = query.toString();
  return `#/${view}${key}${text === '' ? '' : `?${text}`}`;
}

/** An address without its order: what it says. */
const said = (hash) => {
  const [way, query = ''] = hash.split('?');
  return [way, [...new URLSearchParams(query)].sort().toString()];
};

/**
 * Returns the view at the top, without times of day that pass: the part of a long list drawn further down depends
 * on when its rows were measured. With an argument, it returns whether the view is that.
 */
const seen = (expected) => {
  const top = document.querySelector('main').innerText.split('\n').slice(0, 12);
  const text = JSON.stringify([document.title, document.querySelector('input[type=search]')?.value ?? null, ...top]);
  return expected === undefined ? text : text === expected;
};

test('what a link holds is shown by another tab, and back goes through all of it', async (t) => {
  const { server, user, visitor } = await listed(t);
  const other = await visit(user, server.origin);
  // A tab behind another one draws once a second.
  await visitor.tab.page.bringToFront();
  const chance = new Chance(41);
  const way = [];
  for (let count = 0; count < STATES; count++) {
    const address = state(chance);
    await show(visitor, { address });
    const hash = await visitor.ask(() => location.hash);
    assert.deepEqual(said(hash), said(address));
    way.push([address, count % 10 === 0 ? await visitor.ask(seen) : null, hash]);
  }
  await other.tab.page.bringToFront();
  for (const [address, shown] of way.filter((_, at) => at % 10 === 0)) {
    await other.open(`${server.origin}/${address}`);
    await other.tab.reload();
    await show(other, { address });
    await other.until(`${address} shows the same`, seen, shown);
  }
  await visitor.tab.page.bringToFront();
  const distinct = way.filter(([address], at) => at === 0 || address !== way[at - 1][0]);
  for (const [address, , hash] of distinct.slice(0, -1).reverse().slice(0, 20)) {
    await visitor.ask(() => history.back());
    await visitor.until(`back to ${address}`, (hash) => location.hash === hash, hash);
  }
  await visitor.assertQuiet();
});

test('back shows a view where it was left', async (t) => {
  const { visitor } = await listed(t);
  await visitor.tab.page.setViewportSize({ width: 700, height: 260 });
  const rich = encodeURIComponent(RICH);
  const pair = new URLSearchParams({ a: `${RICH}@8`, b: `${RICH}@18` });
  for (const address of ['#/overview', `#/timeline/${rich}`, `#/revision/${rich}?at=18`, `#/blame/${rich}`, `#/compare?${pair}`, '#/sessions', '#/tasks']) {
    await show(visitor, { address });
    await visitor.ask(() => {
      const pane = document.querySelector('.virtual') ?? document.getElementById('main');
      pane.scrollTop = (pane.scrollHeight - pane.clientHeight) / 2;
    });
    const top = await visitor.until(`where ${address} is scrolled to is kept`, () => {
      const { scrollTop } = document.querySelector('.virtual') ?? document.getElementById('main');
      return Object.values(history.state ?? {}).includes(scrollTop) && scrollTop;
    });
    await show(visitor, { address: '#/nothing' });
    await visitor.ask(() => history.back());
    const isScrolled = ([hash, top]) => {
      const { scrollTop } = document.querySelector('.virtual') ?? document.getElementById('main');
      // Rows above may be a line higher once all of them have come.
      return location.hash === hash && Math.abs(scrollTop - top) < 24;
    };
    await visitor.until(`${address} is scrolled to ${top} again`, isScrolled, [address, top]);
  }
  await visitor.assertQuiet();
});

/** The address after some acts, before the page writes into it by itself. Sent to the page. */
const addressAfter = async ({ text, keys = [], click }) => {
  if (text !== undefined) {
    const field = document.querySelector('input[type=search]');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    // Its changes are drawn before the next act; no timer gets in between.
    await null;
  }
  for (const key of keys) {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await null;
  }
  if (click !== undefined) [...document.querySelectorAll('nav a')].find(({ innerText }) => innerText === click).click();
  return location.hash;
};

test('a link that is copied has the row that was selected right before', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, { address: '#/overview' });
  await visitor.drawn();
  assert.match(await visitor.ask(addressAfter, { keys: ['j', 'c'] }), /[?&]at=c%2F/);
});

test('back keeps what was chosen right before the list was left', async (t) => {
  const { visitor } = await listed(t);
  for (const [acts, view, kept] of [
    [{ keys: ['j', 'j', 'g', 't'] }, '#/timeline/', /[?&]at=c%2F/],
    [{ text: 'feeds', keys: ['g', 's'] }, '#/sessions', /[?&]q=feeds/],
    [{ text: 'index', click: 'Tasks' }, '#/tasks', /[?&]q=index/],
  ]) {
    await show(visitor, { address: '#/overview' });
    await visitor.drawn();
    await visitor.ask(addressAfter, acts);
    await visitor.until(view, (view) => location.hash.startsWith(view), view);
    await visitor.ask(() => history.back());
    await visitor.until('the list', () => location.hash.startsWith('#/overview'));
    assert.match(await visitor.ask(() => location.hash), kept);
  }
  await visitor.assertQuiet();
});

test('a link that is cut, foreign or odd shows a page that says so', async (t) => {
  const { visitor } = await listed(t);
  for (const address of ['#/timeline/c%2Fimpl', '#/nothing', '#/compare?a=%E0%A4%A', '#/revision/c%2Fimplement-dark-mode?at=999', '#/revision/c%2Fimplement-dark-mode?at=x', '#/timeline', '#/blame/s%2Fchk-1', '#/timeline/%E0%A4%A', '#//', '#/__proto__', '#/overview?sort=constructor']) {
    await show(visitor, { address });
    assert.notEqual((await visitor.text('main')).trim(), '', address);
  }
  await visitor.assertQuiet();
});
