// Firefox, driven by Puppeteer over WebDriver BiDi.

import { createRequire } from 'node:module';
import * as path from 'node:path';
import { LIMIT_MS, WATCH, Watch } from './watch.mjs';

const modules = createRequire(path.join(process.env.MILEPOST_VIEWER_MODULES ?? '', 'index.js'));

/** @returns {Promise<import('puppeteer-core').Browser>} */
export function launch() {
  return modules('puppeteer-core').launch({
    browser: 'firefox',
    executablePath: process.env.MILEPOST_FIREFOX,
    headless: true,
    // The window has the size; Puppeteer would also turn the screen, which this Firefox cannot.
    defaultViewport: null,
    args: ['--width=1280', '--height=900'],
    timeout: LIMIT_MS,
    protocolTimeout: LIMIT_MS,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'ui.prefersReducedMotion': 1 },
  });
}

/** One who has cookies and settings of its own. */
export class Person {
  constructor(context) {
    this.context = context;
  }

  static async of(browser) {
    return new Person(await browser.createBrowserContext());
  }

  async tab() {
    const tab = new Tab(await this.context.newPage());
    await tab.begin();
    return tab;
  }

  close() {
    return this.context.close();
  }
}

/** Of the same shape as that of Chromium. */
class Tab {
  watch = new Watch();

  constructor(page) {
    this.page = page;
  }

  async begin() {
    const { page, watch } = this;
    page.setDefaultTimeout(LIMIT_MS);
    page.on('pageerror', ({ message }) => {
      // Of what the driver put into the page: nothing in it is of another origin.
      if (!message.includes('Permission denied to access property')) watch.add('error', message);
    });
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) watch.add('console', message.text());
    });
    page.on('dialog', (dialog) => {
      watch.add('dialog', dialog.message());
      dialog.dismiss();
    });
    page.on('request', (request) => watch.request(request.url()));
    await page.evaluateOnNewDocument(WATCH);
    // Behind another one, a page draws nothing.
    await page.bringToFront();
  }

  async open(address) {
    // To another fragment of the same page nothing is loaded, which Puppeteer would wait for.
    const [here, there] = [this.page.url(), address].map((url) => url.split('#')[0]);
    if (here === there) await this.page.evaluate((url) => void (location.href = url), address);
    else await this.page.goto(address);
  }

  async reload() {
    await this.page.reload();
  }

  async press(key) {
    const [last, ...held] = key === '+' ? ['+'] : key.split('+').reverse();
    for (const one of held.reverse()) await this.page.keyboard.down(one);
    await this.page.keyboard.press(last);
    for (const one of held.reverse()) await this.page.keyboard.up(one);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  ask(question, argument) {
    return this.page.evaluate(question, argument);
  }

  async close() {
    await this.page.close();
  }
}
