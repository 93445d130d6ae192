// The tasks as tests, in whichever browser.

import * as path from 'node:path';
import test, { after, before } from 'node:test';
import { openStore } from 'milepost';
import { makeMany } from './data/many.mjs';
import { makeSample } from './data/sample.mjs';
import { Visitor } from './drive/visitor.mjs';
import { Server, exported, folder, untilTheEnd } from './ground.mjs';
import { TASKS } from './tasks.mjs';
import { isSettled } from './views.mjs';

/** More rows than a window shows. */
const TALL = 120;

/** @param {{launch: Function, Person: any}} driver */
export function walk({ launch, Person }) {
  const atTheEnd = untilTheEnd(after);
  let browser;
  let sample;
  let tall;
  let file;

  before(async () => {
    sample = folder(atTheEnd);
    await makeSample(sample);
    tall = folder(atTheEnd);
    makeMany(tall, TALL);
    file = exported(sample, path.join(folder(atTheEnd), 'sample.html'));
    browser = await launch();
  });

  after(() => browser?.close());

  for (const [name, task] of Object.entries(TASKS)) {
    test(`with the keyboard alone: ${name}`, async (t) => {
      const person = await Person.of(browser);
      t.after(() => person.close());
      const visitors = [];
      const visit = async (address, home = new URL(address).origin) => {
        const tab = await person.tab();
        tab.watch.isHome(home);
        const visitor = new Visitor(tab);
        visitors.push(visitor);
        await visitor.open(address);
        return visitor;
      };
      const listed = async (address, home) => {
        const visitor = await visit(address, home);
        await visitor.until('the list', () => document.querySelector('li.row') !== null);
        await visitor.until('all of it', isSettled);
        await visitor.drawn();
        return visitor;
      };
      const serve = async (root) => listed((await Server.of(root, (stop) => t.after(stop))).address);
      const visitor = await serve(sample);
      await task({
        visitor,
        tall: () => serve(tall),
        exported: () => listed(file, file.split('#')[0]),
        another: visit,
        store: openStore({ root: sample, durability: 'lazy', onWarning() {} }),
      });
      for (const one of visitors) await one.assertQuiet();
    });
  }
}
