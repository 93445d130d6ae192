// A database as a folder of files, which is read like any other state folder. It goes with the program that made it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { codeOf } from '../../host/node/fault.js';
import { Refusal } from '../../client/operations.js';
import { Pace } from './pace.js';

const STATE = 'state';

/** The folder of a program says which one it is of. */
const PREFIX = 'milepost-mirror-';
const OF_PROGRAM = /^milepost-mirror-([1-9]\d*)-/;

/** Makes the folder, which only this user sees, and removes those of programs that were killed. */
export function makeMirror() {
  const parent = fs.realpathSync(os.tmpdir());
  removeAbandoned(parent);
  // With mode 0700.
  const above = fs.mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  const folder = path.join(above, STATE);
  fs.mkdirSync(folder);
  process.once('exit', () => removeMirror(folder));
  return folder;
}

/** @param {string} folder */
export function removeMirror(folder) {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
}

/** @param {string} parent */
function removeAbandoned(parent) {
  for (const name of namesIn(parent)) {
    const program = OF_PROGRAM.exec(name)?.[1];
    if (program === undefined || !isGone(Number(program))) continue;
    const above = path.join(parent, name);
    try {
      if (isOwn(fs.lstatSync(above))) fs.rmSync(above, { recursive: true, force: true });
    } catch {
      // Another program removes it, or it is not for this one to remove.
    }
  }
}

/**
 * The names in a folder, as far as it may be listed.
 *
 * @param {string} folder
 */
function namesIn(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {number} program */
function isGone(program) {
  try {
    process.kill(program, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** @param {fs.Stats} found */
function isOwn(found) {
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
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
  #pace = new Pace();

  /**
   * @param {import('../../host/database/reach.js').Database} database
   * @param {import('../../client/operations.js').Core} core
   * @param {string} folder
   */
  constructor(database, core, folder) {
    this.#database = database;
    this.#core = core;
    this.#folder = folder;
  }

  /**
   * Where anything may have changed since the last time, and the database was not away a moment ago.
   *
   * @param {object} place in files
   * @throws {Refusal} where the database is away
   */
  refresh(place) {
    if (!this.#pace.mayAsk(performance.now())) return;
    try {
      this.#ask(place);
    } catch (error) {
      this.#pace.failed(performance.now());
      throw error;
    }
  }

  /** @param {object} place */
  #ask(place) {
    const reached = this.#database.reach();
    if ('failed' in reached) throw new Refusal(reached.failed);
    const now = performance.now();
    const changes = reached.changes();
    if (!this.#pace.isDue(now, changes !== this.#changes)) return;
    this.#core.ask('sources', { mirror: this.#folder }, { ...place, ...reached.place });
    this.#changes = changes;
    this.#pace.refreshed(now);
  }
}
