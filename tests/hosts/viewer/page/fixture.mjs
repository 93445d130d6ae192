// Shared parts of the tests in Chromium, as long as their process lasts: one browser, servers of projects that tests only
// look at, and tabs that are let in. Each is made when a test first needs it.

import { after } from 'node:test';
import * as chromium from '../drive/chromium.mjs';
import { Visitor } from '../drive/visitor.mjs';
import { Server, once, untilTheEnd } from '../fixture.mjs';
import { sample } from '../sample.mjs';

const atTheEnd = untilTheEnd(after);

const browser = once(async () => {
  const launched = await chromium.launch();
  atTheEnd(() => launched.close());
  return launched;
});

/** A person with cookies and settings of their own, who is gone after the test. */
export async function person(t, settings) {
  const made = await chromium.Person.of(await browser(), settings);
  t.after(() => made.close());
  return made;
}

/** A visitor at an address, from which alone requests may come. */
export async function visit(user, address, home = new URL(address).origin) {
  const tab = await user.tab();
  tab.watch.isHome(home);
  const visitor = new Visitor(tab);
  await visitor.open(address);
  return visitor;
}

/**
 * Brings a visitor to the list of a project that several tests only look at: one server shows it to all of them.
 * Its token is good once, so that tabs are let in by the cookie that it is exchanged for.
 *
 * @param {() => Promise<string>} project
 */
export function shared(project) {
  const begun = once(async () => {
    const server = await Server.of(await project(), atTheEnd);
    return { server, cookie: await server.enter() };
  });
  return async (t, settings) => {
    const { server, cookie } = await begun();
    const user = await person(t, settings);
    await user.context.addCookies([cookie]);
    return atList(server, user, server.origin);
  };
}

/** A visitor at the list of the sample project. */
export const listed = shared(sample);

/** A visitor at the list of a project that a server of its own shows. */
export async function served(t, root, settings) {
  const server = await Server.of(root, (stop) => t.after(stop));
  return atList(server, await person(t, settings), server.address);
}

async function atList(server, user, address) {
  const visitor = await visit(user, address);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
  return { server, user, visitor };
}
