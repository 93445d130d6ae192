// The viewer's page in Chromium: how soon it is there, how soon it answers, what it holds, with 10,000 checkpoints.

import * as fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, summarize } from '../measure.mjs';
import { classify, rounded, skipped, target } from '../report.mjs';
import { channels, heap, hosted, tools } from '../viewer/browser.mjs';
import { ON_THE_WAY, allOf, scrollAll, timeKeys, watchFor } from '../viewer/observe.mjs';

export const name = 'viewer';

const MANY = 10_000;
const MEGABYTE = 1e6;
const SLOWER = 4;
const LOADS = 5;
const STARTS = 9;
const FRAMES = 400;
/** One change is looked for before the next is made. */
const CHANGES = 60;
/** 1,000 a minute for so many minutes. */
const MINUTES = 3;
const GAP_MS = 60;
/** Changed in turn while changes are counted. */
const RUNS = 100;

/** @param {import('../fixture.mjs').Fixture} fixture */
export async function measure(fixture) {
  if (!process.env.MILEPOST_CHROMIUM) return [skipped('the viewer', 'there is no Chromium')];
  const kit = await tools(fixture);
  const browser = await kit.launch();
  const many = path.join(fixture.work, 'many');
  fs.mkdirSync(many);
  kit.makeMany(many, MANY);
  const bench = new Bench(fixture, kit, browser, many);
  try {
    return [
      ...(await bench.start()),
      ...(await bench.fromServer()),
      ...(await bench.fromExport()),
      ...(await bench.fromDroppedFolder()),
      ...(await bench.searchAndScroll()),
      ...(await bench.compare()),
      ...(await bench.changes()),
    ];
  } finally {
    bench.clear();
    await browser.close();
  }
}

class Bench {
  #undo = [];

  constructor(fixture, kit, browser, many) {
    Object.assign(this, { fixture, kit, browser, many });
  }

  clear() {
    for (const undo of this.#undo) undo();
  }

  async #person(script = '') {
    const person = await this.kit.Person.of(this.browser);
    await person.context.addInitScript(`${ON_THE_WAY}${script}`);
    return person;
  }

  #serve(root) {
    return this.kit.Server.of(root, (stop) => this.#undo.push(stop));
  }

  /** Without data, on a processor that is four times slower. */
  async start() {
    const { address, close } = await hosted(this.fixture);
    const samples = [];
    for (let run = -1; run < STARTS; run++) {
      const person = await this.#person();
      const { page } = await person.tab();
      const { own } = await channels(page);
      await own.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      await page.goto(address);
      const ms = await page.evaluate(async () => {
        while (globalThis.measured.firstContent === null) await new Promise(requestAnimationFrame);
        // Interactive: the page has done all that it still had to do.
        await new Promise((resolve) => requestIdleCallback(resolve));
        return performance.now();
      });
      if (run >= 0) samples.push(ms);
      await person.close();
    }
    close();
    return [time(`interactive without data, processor ${SLOWER} times slower`, samples, 0.5, 800)];
  }

  async #loads(what, addressOf, limits) {
    const found = { firstRow: [], whole: [], longest: [] };
    for (let run = 0; run < LOADS; run++) {
      const person = await this.#person(allOf(MANY));
      const { page } = await person.tab();
      await page.goto(await addressOf());
      await page.waitForFunction(() => globalThis.measured.whole !== null, null, { polling: 100 });
      const measured = await page.evaluate(() => globalThis.measured);
      for (const [name, samples] of Object.entries(found)) samples.push(measured[name]);
      await person.close();
    }
    const count = MANY.toLocaleString('en-GB');
    return [
      time(`${count} checkpoints from ${what}: first rows`, found.firstRow, 0.5, limits && 300),
      time(`${count} checkpoints from ${what}: all indexed`, found.whole, 0.5, limits && 1_500),
      time(`${count} checkpoints from ${what}: longest task of the main thread (0: none above 50 ms)`, found.longest, 1, limits && 50),
    ];
  }

  async fromServer() {
    // A token lets in once.
    return this.#loads('the local server', async () => (await this.#serve(this.many)).address, true);
  }

  async fromExport() {
    const file = this.kit.exported(this.many, path.join(this.fixture.work, 'many.html'));
    return this.#loads('the exported file', async () => file, true);
  }

  /** Reported without a limit: the browser reads each file by itself. */
  async fromDroppedFolder() {
    const { address, close } = await hosted(this.fixture);
    const samples = [];
    for (let run = 0; run < 3; run++) {
      const person = await this.#person(allOf(MANY));
      const { page } = await person.tab();
      await page.goto(address);
      await page.locator('input[type=file]').first().waitFor({ state: 'attached' });
      await page.evaluate(() => {
        const take = () => (globalThis.chosen = performance.now());
        document.querySelector('input[type=file]').addEventListener('change', take, true);
      });
      await page.locator('input[type=file]').first().setInputFiles(path.join(this.many, '.claude'));
      await page.waitForFunction(() => globalThis.measured.whole !== null, null, { polling: 100 });
      samples.push(await page.evaluate(() => globalThis.measured.whole - globalThis.chosen));
      await person.close();
    }
    close();
    return [time(`${MANY.toLocaleString('en-GB')} checkpoints from a dropped folder: all indexed`, samples, 0.5)];
  }

  async searchAndScroll() {
    const person = await this.#person(allOf(MANY));
    const { page } = await person.tab();
    const session = await channels(page);
    await page.goto((await this.#serve(this.many)).address);
    await page.waitForFunction(() => globalThis.measured.whole !== null, null, { polling: 100 });

    await page.keyboard.press('/');
    await page.evaluate(timeKeys);
    let typed = 0;
    for (const word of ['parser', 'quicksilver', 'feature-0042', 'byte for byte', 'Benchmarks', 'nothing here']) {
      for (const key of word) {
        await page.keyboard.press(key === ' ' ? 'Space' : key);
        typed += 1;
        await page.waitForFunction((count) => globalThis.keys.length >= count, typed);
      }
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Backspace');
      typed += 1;
      await page.waitForFunction((count) => globalThis.keys.length >= count, typed);
    }
    const keys = await page.evaluate(() => globalThis.keys);

    await page.evaluate(scrollAll, 60);
    await page.evaluate(() => (document.querySelector('.virtual').scrollTop = 0));
    const { taken, nodes } = await page.evaluate(scrollAll, FRAMES);
    const { page: own, worker, all } = await heap(session);
    await person.close();
    return [
      time(`key in the search field to the list, ${MANY.toLocaleString('en-GB')} checkpoints`, keys, 0.95, 80),
      time('scrolling all of them: frames', taken, 0.95, 20),
      amount('scrolling all of them: elements on the page', nodes, 'elements', 1_500),
      amount(
        `heap then (${rounded(own / MEGABYTE)} MB of the page, ${rounded(worker / MEGABYTE)} MB of the worker)`,
        all / MEGABYTE,
        'MB',
        200,
      ),
    ];
  }

  /** Two revisions of 1 MB, from the address to the changes on the page. */
  async compare() {
    const root = path.join(this.fixture.work, 'megabytes');
    fs.mkdirSync(root);
    this.kit.makeMegabytes(root);
    const person = await this.#person();
    const { page } = await person.tab();
    await page.goto((await this.#serve(root)).address);
    await page.waitForSelector('li.row .name');
    const samples = [];
    for (let run = -2; run < 10; run++) {
      const ms = await page.evaluate(async (key) => {
        const frame = () => new Promise(requestAnimationFrame);
        location.hash = '#/overview';
        while (document.querySelector('.overview li.row') === null) await frame();
        const begun = performance.now();
        location.hash = `#/compare?a=${encodeURIComponent(`${key}@1`)}&b=${encodeURIComponent(`${key}@2`)}`;
        while (document.querySelector('[role=feed] > *') === null) await frame();
        return performance.now() - begun;
      }, this.kit.MEGABYTES);
      // The first one brings both files.
      if (run >= 0) samples.push(ms);
    }
    await person.close();
    return [time('comparing two documents of 1 MB, to the changes on the page', samples, 0.5, 200)];
  }

  async changes() {
    const root = path.join(this.fixture.work, 'live');
    fs.mkdirSync(root);
    this.kit.makeMany(root, RUNS);
    const { openStore } = this.fixture.require('milepost');
    const store = openStore({ root, durability: 'lazy', onWarning() {} });
    const change = (at) =>
      store.updatePhase('implement', 'docs', { status: 'complete', context_summary: `change ${at}.` }, this.kit.nameOf((at % 14) * 7));
    const person = await this.#person();
    const { page } = await person.tab();
    const session = await channels(page);
    await page.goto(`${(await this.#serve(root)).address}`);
    await page.waitForSelector('li.row .name');
    await page.evaluate(() => (location.hash = '#/overview?sort=updated&command=implement'));
    await page.waitForFunction(() => document.querySelectorAll('li.row').length < 60);
    await page.evaluate(watchFor, 'change ');
    const samples = [];
    for (let at = 0; at < CHANGES; at++) {
      change(at);
      const written = Date.now();
      await page.waitForFunction((at) => globalThis.shownAt[at] !== undefined, at, { polling: 20 });
      samples.push((await page.evaluate((at) => globalThis.shownAt[at], at)) - written);
      await pause(100 + (at % 7) * 20);
    }

    const end = Date.now() + MINUTES * 60_000;
    let made = CHANGES;
    const flood = async (until) => {
      while (Date.now() < until) {
        change(made++);
        await pause(GAP_MS);
      }
    };
    // Objects that are made only once are there after this.
    await flood(Date.now() + 20_000);
    const before = await heap(session);
    await flood(end);
    const after = await heap(session);
    const growth = (after.all / before.all - 1) * 100;
    await person.close();
    return [
      time('a file changes: its row shows it', samples, 0.95, 500),
      amount(`heap after ${made} changes in ${MINUTES} minutes (${rounded(before.all / MEGABYTE)} MB before): growth`, growth, '%', 10),
    ];
  }
}

/** A row with this share of the samples within a limit. */
function time(what, samples, share, atMost) {
  const sorted = [...samples].sort((a, b) => a - b);
  const ms = quantile(sorted, share);
  const called = { 0.5: 'median', 0.95: '95th percentile', 1: 'most' }[share];
  return {
    what,
    ours: `${called} ${rounded(ms)} ms (${rounded(sorted[0])} to ${rounded(sorted.at(-1))}, ${sorted.length} runs)`,
    peer: '-',
    ratio: '-',
    target: target('at most', atMost, 'ms'),
    verdict: classify(atMost, ms <= atMost),
    numbers: { ...summarize(samples), ms, share, atMost },
  };
}

function amount(what, value, unit, atMost) {
  return {
    what,
    ours: `${rounded(value)} ${unit}`,
    peer: '-',
    ratio: '-',
    target: target('at most', atMost, unit),
    verdict: classify(atMost, value <= atMost),
    numbers: { value, atMost },
  };
}
