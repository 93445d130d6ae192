// Looks for changes of checkpoints, as long as a client wants to know of them.

import fs from 'node:fs';

/** The time until the next look where a folder does not report changes, or is not there yet, in ms. */
const UNREPORTED_MS = 2000;
/** The time where it does: some file systems report none by other machines. */
const REPORTED_MS = 30_000;
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
  #next;
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
    if (isWanted === (this.#next !== undefined)) return;
    if (!isWanted) return this.stop();
    // First, so that no change falls between the two.
    this.#watch();
    this.#known = this.#look();
    this.#wait();
  }

  stop() {
    clearTimeout(this.#next);
    clearTimeout(this.#pause);
    this.#unwatch();
    this.#next = undefined;
    this.#pause = undefined;
    this.#known = undefined;
  }

  #wait() {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#compare(), this.#watcher === undefined ? UNREPORTED_MS : REPORTED_MS).unref();
  }

  #watch() {
    try {
      const folder = this.#seeing.folder();
      this.#watcher = fs.watch(folder, { persistent: false }, () => {
        // A folder that went reports nothing of the one that takes its place.
        if (!fs.existsSync(folder)) this.#unwatch();
        this.#soon();
      });
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      // It is not there yet.
    }
  }

  /** However fast one change follows another, the look is not put off. */
  #soon() {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#compare();
    }, PAUSE_MS).unref();
  }

  #unwatch() {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #look() {
    try {
      return this.#seeing.states();
    } catch {
      // No question was asked that this could answer; the next look may succeed.
      return this.#known;
    }
  }

  #compare() {
    if (this.#watcher === undefined) this.#watch();
    this.#wait();
    const [before, now] = [this.#known, this.#look()];
    this.#known = now;
    if (before === undefined || now === undefined) return;
    const isSame = before.size === now.size && [...now.keys()].every((uri) => before.has(uri));
    if (!isSame) this.#seeing.onList();
    for (const [uri, state] of now) {
      if (before.has(uri) && before.get(uri) !== state) this.#seeing.onUpdate(uri);
    }
    // Followers of one that went are notified as well.
    for (const uri of before.keys()) if (!now.has(uri)) this.#seeing.onUpdate(uri);
  }
}
