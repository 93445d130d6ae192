// The host adapter for Node and hosts that speak its `fs`: performs one effect, decides nothing.

import path from 'node:path';
import * as ffi from '../../wasm/ffi.js';
import * as files from './files.js';
import { failed } from './fault.js';
import { variable } from './permission.js';
import * as system from './system.js';

/**
 * Performs one effect. What goes wrong is an answer.
 *
 * @type {ffi.Perform}
 */
export function perform(effect, text, textLength, more, moreLength, number, flag) {
  try {
    return dispatch(effect, text, textLength, more, moreLength, number, flag);
  } catch (error) {
    return failed(error);
  }
}

/**
 * The location that this process works on. Read again each time: scripts and tests change it.
 *
 * @returns {{git_root: string | null, working: string}}
 */
export function place() {
  return { git_root: variable('GIT_ROOT') ?? null, working: process.cwd() };
}

/** @param {string} below as it is opened from the working folder */
export function absolute(below) {
  return path.resolve(below);
}

/**
 * Effects by their numbers, see `EFFECTS` of the ffi.
 *
 * @type {ffi.Perform}
 */
function dispatch(effect, at, length, more, moreLength, number, flag) {
  const text = ffi.text(at, length);
  switch (effect) {
    case 0:
      return system.clock();
    case 1:
      return system.random(number);
    case 2:
      return system.wait(number);
    case 3:
      return files.ascend(text, ffi.text(more, moreLength));
    case 4:
      return files.inspect(text);
    case 5:
      return files.read(text, number, flag);
    case 6:
      return files.readStart(text, number);
    case 7:
      return files.makeFolder(text, flag);
    case 8:
      return files.create(text, ffi.part(more, moreLength), number, flag);
    case 9:
      return files.rename(text, ffi.text(more, moreLength));
    case 10:
      return files.link(text, ffi.text(more, moreLength));
    case 11:
      return files.remove(text);
    case 12:
      return files.removeFolder(text);
    case 13:
      return files.restrict(text);
    case 14:
      return files.list(text, number);
    case 15:
      return files.syncFolder(text);
    case 19:
      return system.git(text, ffi.texts(more, moreLength));
    case 20:
      return system.print(flag ? 2 : 1, ffi.part(at, length));
    case 21:
      return flag ? system.line(number) : system.input(number);
    case 22:
      return files.survey(text, ffi.texts(more, moreLength));
    default:
      return ffi.answerFault('unsupported', 'this host has files, and no records');
  }
}
