// A user at the keyboard: presses keys, and reads what is on the page.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMIT_MS } from './watch.mjs';

/** Between two looks at the page. */
const LOOK_MS = 20;

export class Visitor {
  /** @param {{press: Function, type: Function, ask: Function, open: Function}} tab of a driver */
  constructor(tab) {
    this.tab = tab;
  }

  /** Goes to an address and waits for the page to be there. */
  async open(address) {
    await this.tab.open(address);
    await this.until('the page is there', () => document.querySelector('main') !== null);
  }

  /** Presses keys one after the other: `['g', 'b']`, `['Control+v']`. */
  async press(...keys) {
    for (const key of keys) await this.tab.press(key);
  }

  async type(text) {
    await this.tab.type(text);
  }

  ask(question, argument) {
    return this.tab.ask(question, argument);
  }

  /** Waits until the page answers a question with something; fails with what the page shows. */
  async until(what, question, argument) {
    const end = Date.now() + LIMIT_MS;
    for (;;) {
      const answer = await this.tab.ask(question, argument);
      if (answer) return answer;
      if (Date.now() > end) {
        const shown = await this.tab.ask(() => `${location.href}\n${document.body.innerText}`);
        const trouble = this.tab.watch.seen().join('\n');
        assert.fail(`it never came to this: ${what}\n${shown.slice(0, 4_000)}\n${trouble}`);
      }
      await pause(LOOK_MS);
    }
  }

  /** Waits until a part of the page says this: an address changes before what it leads to is drawn. */
  sees(pattern, selector = 'main') {
    const says = ([at, source, flags]) => new RegExp(source, flags).test(document.querySelector(at)?.innerText ?? '');
    return this.until(`${selector} says ${pattern}`, says, [selector, pattern.source, pattern.flags]);
  }

  /** Presses a key again and again until the page is as it shall be; says so where it never is. */
  async pressUntil(key, most, what, question, argument) {
    for (let count = 0; count <= most; count++) {
      if (await this.tab.ask(question, argument)) return;
      await this.press(key);
      await this.drawn();
    }
    const shown = await this.tab.ask(() => document.body.innerText);
    assert.fail(`${most} times ${key}, and never: ${what}\n${shown.slice(0, 4_000)}`);
  }

  /** Waits until what a key did is drawn: a row that is moved to gets the focus then. */
  drawn() {
    return this.tab.ask(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))));
  }

  address() {
    return this.tab.ask(() => location.href);
  }

  text(selector = 'body') {
    return this.tab.ask((at) => document.querySelector(at)?.innerText ?? null, selector);
  }

  /** Returns the focused element, and whether a user sees the focus. */
  focus() {
    return this.tab.ask(() => {
      const { activeElement: it } = document;
      const style = getComputedStyle(it);
      const box = it.getBoundingClientRect();
      return {
        tag: it.tagName.toLowerCase(),
        role: it.getAttribute('role'),
        name: it.getAttribute('aria-label') ?? it.innerText,
        outline: style.outlineStyle,
        isInWindow: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      };
    });
  }

  /** Nothing happened that must not. */
  async assertQuiet(expected = []) {
    const reports = await this.tab.ask(() => globalThis.reports);
    assert.deepEqual([...this.tab.watch.seen(expected), ...reports], []);
  }
}
