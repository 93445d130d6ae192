// Functions of Node for the host adapter, put under the test's control: clocks, waiting, and the
// functions of `node:fs`, each of which can be made to fail.

import * as fs from 'node:fs';
import { require } from '../fixture.mjs';

/** In which way a call goes wrong. */
export const WAYS = ['once', 'for good', 'done all the same'];

const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'EIO'];

const CALLS = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'fsyncSync',
  'fstatSync',
  'lstatSync',
  'mkdirSync',
  'readdirSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
];

/** One test's clocks, waiting and faults; undone after it. */
export class World {
  /** The wall clock, where the scenario sets it. */
  wallMs = null;
  /** The time by which a scenario moved it on. */
  passedMs = 0;
  /** The act at the next waiting. */
  whileWaiting = null;
  /** The number of calls of `node:fs`. */
  calls = 0;
  /** @type {{at: number, way: string} | null} */
  fault = null;
  #waitedMs = 0;

  constructor(test) {
    const { now } = Date;
    const { hrtime } = process;
    const mocked = [];
    const replace = (object, name, act) => mocked.push(test.mock.method(object, name, act).mock);
    replace(Date, 'now', () => (this.wallMs ?? now()) + this.passedMs);
    replace(process, 'hrtime', () => {
      const [seconds, nanoseconds] = hrtime();
      return [seconds + this.#waitedMs / 1000, nanoseconds];
    });
    replace(Atomics, 'wait', (_cells, _at, _value, ms) => {
      // Each call is recorded with its stack; a wait for a dead writer makes thousands.
      for (const mock of mocked) mock.resetCalls();
      this.whileWaiting?.();
      this.whileWaiting = null;
      this.#waitedMs += ms;
      return 'timed-out';
    });
  }

  /** Runs an action with faults in force. */
  with(fault, action) {
    // The object that CommonJS has; the namespace of an import cannot be changed.
    const module = require('node:fs');
    const originals = Object.fromEntries(CALLS.map((name) => [name, module[name]]));
    this.calls = 0;
    for (const name of CALLS) {
      module[name] = (...rest) => this.#perform(name, originals[name], rest, fault);
    }
    try {
      return action();
    } finally {
      Object.assign(module, originals);
    }
  }

  #perform(name, original, rest, { at, way }) {
    const number = this.calls++;
    if (number !== at && !(way === 'for good' && number > at)) return original(...rest);
    // A closed descriptor is closed, regardless of what close says; and a full disk takes a part.
    if (name === 'closeSync' || way === 'done all the same') original(...rest);
    else if (name === 'writeSync') original(rest[0], rest[1].subarray(0, rest[1].length / 2));
    const code = CODES[at % CODES.length];
    throw Object.assign(new Error(`${code}: made to fail, ${name}`), { code });
  }
}

/** The text of a file, or null. */
export function textOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}
