// A database as a folder of files, which is read like any other state folder. It goes with the program that made it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A change that the database did not announce stays unseen for so long. */
const LATEST_MS = 30_000;

const STATE = 'state';

/** Makes the folder, which only this user sees. */
export function makeMirror() {
  // With mode 0700.
  const above = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'milepost-mirror-'));
  const folder = path.join(above, STATE);
  fs.mkdirSync(folder);
  process.once('exit', () => removeMirror(folder));
  return folder;
}

/** @param {string} folder */
export function removeMirror(folder) {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
}

/**
 * A place in a database as one in the files of its mirror.
 *
 * @param {object} place
 * @param {string} folder
 */
export function placeOf(place, folder) {
  return { ...place, dir: folder, storage: 'files' };
}

/** Brings the files up to the database. */
export class Mirror {
  #database;
  #core;
  #folder;
  #changes = -1;
  #refreshed = -Infinity;

  /**
   * @param {import('../database/reach.js').Database} database
   * @param {import('../operations.js').Core} core
   * @param {string} folder
   */
  constructor(database, core, folder) {
    this.#database = database;
    this.#core = core;
    this.#folder = folder;
  }

  /**
   * Where anything may have changed since the last time.
   *
   * @param {object} place in files
   * @throws {import('../operations.js').Refusal}
   */
  refresh(place) {
    const reached = this.#database.reach();
    const now = performance.now();
    const changes = 'failed' in reached ? -1 : reached.changes();
    if (changes >= 0 && changes === this.#changes && now - this.#refreshed < LATEST_MS) return;
    const at = 'failed' in reached ? {} : reached.place;
    this.#core.ask('sources', { mirror: this.#folder }, { ...place, ...at });
    this.#changes = changes;
    this.#refreshed = now;
  }
}
