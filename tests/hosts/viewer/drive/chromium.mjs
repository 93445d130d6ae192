// Chromium, driven by Playwright.

import { createRequire } from 'node:module';
import * as path from 'node:path';
import { LIMIT_MS, WATCH, Watch } from './watch.mjs';

const host = createRequire(path.join(process.env.MILEPOST_HOST_MODULES ?? '', 'index.js'));
const FLAGS = ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

/** Flags by which letters are drawn as on every machine with the same fonts, and in few colours. */
export const PICTURE_FLAGS = ['--disable-lcd-text', '--font-render-hinting=none', '--force-color-profile=srgb'];

/** @returns {Promise<import('playwright-core').Browser>} */
export function launch(args = []) {
  return host('playwright-core').chromium.launch({
    executablePath: process.env.MILEPOST_CHROMIUM,
    chromiumSandbox: false,
    args: [...FLAGS, ...args],
    timeout: LIMIT_MS,
  });
}

/** One who has cookies and settings of its own. */
export class Person {
  /** @param {import('playwright-core').BrowserContext} context */
  constructor(context) {
    this.context = context;
  }

  /** @param {import('playwright-core').Browser} browser */
  static async of(browser, settings = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...settings,
    });
    context.setDefaultTimeout(LIMIT_MS);
    await context.addInitScript(WATCH);
    return new Person(context);
  }

  /** @returns {Promise<Tab>} */
  async tab() {
    const tab = new Tab(await this.context.newPage());
    await tab.begin();
    return tab;
  }

  close() {
    return this.context.close();
  }
}

/** The functions that a visitor needs of a browser's tab; Firefox has one of the same shape. */
class Tab {
  watch = new Watch();

  constructor(page) {
    this.page = page;
  }

  async begin() {
    const { page, watch } = this;
    page.on('pageerror', ({ message }) => watch.add('error', message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) watch.add('console', message.text());
    });
    page.on('dialog', (dialog) => {
      watch.add('dialog', dialog.message());
      dialog.dismiss();
    });
    page.on('request', (request) => watch.request(request.url()));
  }

  async open(address) {
    await this.page.goto(address);
  }

  async reload() {
    await this.page.reload();
  }

  async press(key) {
    await this.page.keyboard.press(key);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  /** The answer of a function in the page. */
  ask(question, argument) {
    return this.page.evaluate(question, argument);
  }

  async close() {
    await this.page.close();
  }
}
