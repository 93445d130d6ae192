// The pages that listen: each is sent changes, as Server-Sent Events.

/** Changes are sent together, at most this often. */
const PAUSE_MS = 50;
/** A page that is there sends nothing; a dead connection is noticed by what is sent to it. */
const SIGN_OF_LIFE_MS = 20_000;
/** So long a page waits that was dropped before it comes again: what a browser waits by itself may be seconds. */
const RETRY_MS = 1000;
/** A page that has not taken this many bytes is dropped: it comes again, and then reads everything again. */
const MAX_BEHIND = 2 * 1024 * 1024;
/** More changes than this are not sent one by one. */
const MAX_PENDING = 5_000;

/**
 * @typedef {import('./tree.js').Header} Header
 * @typedef {import('node:http').ServerResponse} Response
 */

export class Listeners {
  /** @type {Set<Response>} */
  #pages = new Set();
  /** @type {Map<string, Header>} the latest of each path */
  #pending = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #pause;
  /** @type {NodeJS.Timeout | undefined} */
  #signs;
  #onCount;

  /** @param {(count: number) => void} onCount how many there are now */
  constructor(onCount) {
    this.#onCount = onCount;
  }

  get count() {
    return this.#pages.size;
  }

  /** @param {Response} response whose head was sent */
  add(response) {
    this.#pages.add(response);
    response.on('close', () => {
      if (!this.#pages.delete(response)) return;
      if (this.#pages.size === 0) this.#rest();
      this.#onCount(this.#pages.size);
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#signs ??= setInterval(() => this.#send(': here\n\n'), SIGN_OF_LIFE_MS);
    this.#onCount(this.#pages.size);
  }

  /** @param {Header[]} changes */
  send(changes) {
    if (this.#pages.size === 0) return;
    for (const header of changes) {
      const key = String(header.file ?? header.folder ?? header.gone ?? header.link ?? '');
      // The latest stands where it happened.
      this.#pending.delete(key);
      this.#pending.set(key, header);
    }
    if (this.#pending.size > MAX_PENDING) return this.dropAll();
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      const headers = [...this.#pending.values()];
      this.#pending.clear();
      this.#send(`data: ${JSON.stringify(headers)}\n\n`);
    }, PAUSE_MS);
  }

  /** Drops all pages, whose state may be wrong: they come again, and read everything again. */
  dropAll() {
    for (const page of this.#pages) page.destroy();
    this.#pending.clear();
  }

  /** @param {string} text */
  #send(text) {
    for (const page of this.#pages) {
      if (page.writableLength > MAX_BEHIND) page.destroy();
      else page.write(text);
    }
  }

  #rest() {
    clearTimeout(this.#pause);
    clearInterval(this.#signs);
    this.#pause = this.#signs = undefined;
    this.#pending.clear();
  }
}
