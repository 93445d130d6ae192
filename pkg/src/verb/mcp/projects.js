// The project that a client works on: the client says it, or else its environment.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import url from 'node:url';
import AGENTS from '../../base/agents.json';
import { workingIn } from '../../host/node/alias.js';

/** @typedef {import('./work.js').Project} Project */
/** @typedef {{roots?: unknown}} Listed what a client answers to `roots/list` */

/** The variables in which agents name the project, in the order of their table. */
const VARIABLES = [...new Set(Object.values(AGENTS).flatMap(({ environment }) => environment))];

/** No client looks for its roots longer than this. */
export const ROOTS_MS = 3000;

export class Projects {
  #place;
  #program;
  /** @type {string[] | undefined} the client's, once it was asked */
  #roots;
  /** @type {Promise<void> | undefined} */
  #asking;

  /**
   * @param {Record<string, any>} place of the process, with the root that the command line names
   * @param {string} program the words that start it
   */
  constructor(place, program) {
    this.#place = place;
    this.#program = program;
  }

  /** True if the client is still to be asked. */
  get isOpen() {
    return this.#roots === undefined && !this.#isGiven;
  }

  /** True if words or `GIT_ROOT` name the root, before which nothing else counts. */
  get #isGiven() {
    return Boolean(this.#place.root || this.#place.git_root);
  }

  /**
   * Asks for the client's roots, once. One that does not answer has none.
   *
   * @param {() => Promise<Listed>} ask
   * @returns {Promise<void>}
   */
  settle(ask) {
    if (!this.isOpen) return Promise.resolve();
    this.#asking ??= this.#ask(ask);
    return this.#asking;
  }

  /** @param {() => Promise<Listed>} ask */
  async #ask(ask) {
    const asking = Promise.resolve().then(ask);
    const listed = await asking.catch(() => ({}));
    // They may have changed since, which asks for them again.
    if (this.#asking !== undefined) this.take(listed);
  }

  /** @param {Listed} listed */
  take({ roots }) {
    this.#roots = Array.isArray(roots) ? roots.flatMap(({ uri }) => pathOf(uri) ?? []) : [];
    this.#asking = undefined;
  }

  /** The client has other roots from now on. */
  forget() {
    this.#roots = undefined;
    this.#asking = undefined;
  }

  /**
   * Returns the project of the next call. Folders may come and go.
   *
   * @returns {Project}
   */
  current() {
    const place = this.#place;
    const program = this.#program;
    if (this.#isGiven) return { place, program, isNamed: true };
    const named = [...(this.#roots ?? []), ...VARIABLES.map((name) => process.env[name] ?? '')];
    const folder = named.find((folder) => path.isAbsolute(folder) && isFolder(folder));
    return folder === undefined
      ? { place, program, isNamed: false }
      : { place: { ...place, ...workingIn(folder) }, program, isNamed: true };
  }
}

/** @param {unknown} uri of a root */
function pathOf(uri) {
  try {
    return url.fileURLToPath(String(uri));
  } catch {
    // One on another machine, or none at all.
    return undefined;
  }
}

/** @param {string} folder */
function isFolder(folder) {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
