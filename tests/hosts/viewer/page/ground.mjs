// What the tests in Chromium share: one browser for a file, and tabs that are let in.

import { after, before } from 'node:test';
import * as chromium from '../drive/chromium.mjs';
import { Visitor } from '../drive/visitor.mjs';
import { Server } from '../ground.mjs';

let browser;

/** Starts Chromium before the tests of this file. */
export function withChromium(args) {
  before(async () => {
    browser = await chromium.launch(args);
  });
  after(() => browser?.close());
}

/** Somebody with settings of their own, who is gone after the test. */
export async function person(t, settings) {
  const somebody = await chromium.Person.of(browser, settings);
  t.after(() => somebody.close());
  return somebody;
}

/** A visitor at an address, from which alone requests may come. */
export async function visit(somebody, address, home = new URL(address).origin) {
  const tab = await somebody.tab();
  tab.watch.isHome(home);
  const visitor = new Visitor(tab);
  await visitor.open(address);
  return visitor;
}

/** The same at the list of a project that a server of its own shows. */
export async function served(t, root, settings) {
  const server = await Server.of(root, (stop) => t.after(stop));
  const somebody = await person(t, settings);
  const visitor = await visit(somebody, server.address);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
  return { server, somebody, visitor };
}
