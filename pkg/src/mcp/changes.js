// Looks for changes of checkpoints, as long as somebody wants to know of them.

import fs from 'node:fs';

/** A folder tells of most changes by itself; where it does not, or is not there yet, they are found so. */
const INTERVAL_MS = 2000;
/** A commit changes several files. */
const PAUSE_MS = 50;

/**
 * @typedef {object} Seeing
 * @property {() => Map<string, string>} states of all checkpoints, by their addresses
 * @property {() => string} folder that holds them
 * @property {() => void} onList there is another one, or one less
 * @property {(uri: string) => void} onUpdate
 */

export class Changes {
  #seeing;
  /** @type {Map<string, string> | undefined} */
  #known;
  /** @type {NodeJS.Timeout | undefined} */
  #interval;
  /** @type {NodeJS.Timeout | undefined} */
  #pause;
  /** @type {fs.FSWatcher | undefined} */
  #watcher;

  /** @param {Seeing} seeing */
  constructor(seeing) {
    this.#seeing = seeing;
  }

  /**
   * Begins to look, or ends it.
   *
   * @param {boolean} isWanted
   */
  want(isWanted) {
    if (isWanted === (this.#interval !== undefined)) return;
    if (!isWanted) return this.stop();
    this.#known = this.#look();
    this.#interval = setInterval(() => this.#compare(), INTERVAL_MS).unref();
    this.#watch();
  }

  stop() {
    clearInterval(this.#interval);
    clearTimeout(this.#pause);
    this.#watcher?.close();
    this.#interval = undefined;
    this.#watcher = undefined;
    this.#known = undefined;
  }

  #watch() {
    try {
      this.#watcher = fs.watch(this.#seeing.folder(), { persistent: false }, () => {
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#compare(), PAUSE_MS).unref();
      });
      // A folder that goes is looked at again at the interval.
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      // It is not there yet.
    }
  }

  #unwatch() {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #look() {
    try {
      return this.#seeing.states();
    } catch {
      // Nobody asked anything that this could answer; the next look may tell.
      return this.#known;
    }
  }

  #compare() {
    if (this.#watcher === undefined) this.#watch();
    const [before, now] = [this.#known, this.#look()];
    this.#known = now;
    if (before === undefined || now === undefined) return;
    const isSame = before.size === now.size && [...now.keys()].every((uri) => before.has(uri));
    if (!isSame) this.#seeing.onList();
    for (const [uri, state] of now) {
      if (before.has(uri) && before.get(uri) !== state) this.#seeing.onUpdate(uri);
    }
    // Who follows one that went is told as well.
    for (const uri of before.keys()) if (!now.has(uri)) this.#seeing.onUpdate(uri);
  }
}
