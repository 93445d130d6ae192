// The tasks as tests, in either browser.

import * as path from 'node:path';
import test, { after } from 'node:test';
import { openStore } from 'milepost';
import { makeMany } from './data/many.mjs';
import { Visitor } from './drive/visitor.mjs';
import { Server, exported, folder, once, untilTheEnd } from './fixture.mjs';
import { ownSample, sample } from './sample.mjs';
import { TASKS } from './tasks.mjs';
import { isSettled } from './views.mjs';

/** More rows than a window shows. */
const TALL = 120;

/** @param {(t: any) => Promise<any>} person of a browser, with cookies and settings of their own, gone after the test */
export function walk(person) {
  const atTheEnd = untilTheEnd(after);
  const tall = once(() => {
    const root = folder(atTheEnd);
    makeMany(root, TALL);
    return root;
  });
  const file = once(async () => exported(await sample(), path.join(folder(atTheEnd), 'sample.html')));

  for (const [name, task] of Object.entries(TASKS)) {
    test(`with the keyboard alone: ${name}`, async (t) => {
      const user = await person(t);
      const visitors = [];
      const visit = async (address, home = new URL(address).origin) => {
        const tab = await user.tab();
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
      await task({
        listed: async () => serve(await sample()),
        changing: async () => {
          const root = await ownSample(t);
          return { visitor: await serve(root), store: openStore({ root, durability: 'lazy', onWarning() {} }) };
        },
        tall: () => serve(tall()),
        exported: async () => listed(await file(), (await file()).split('#')[0]),
        another: visit,
      });
      for (const one of visitors) await one.assertQuiet();
    });
  }
}
