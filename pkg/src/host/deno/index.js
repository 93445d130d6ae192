// The host adapter for Deno: the effects of `host/node` over `Deno.*`, because loading `node:fs` takes
// Deno longer than all the rest of a hook. It performs one effect and decides nothing. What `Deno.*`
// cannot do without losing a guarantee, and other systems than Linux and macOS, have Node's adapter.

import * as ffi from '../../wasm/ffi.js';
import { failed } from './fault.js';
import * as files from './files.js';
import { IS_NATIVE, byNode, nodeHost } from './other.js';
import { resolved } from './posix-path.js';
import { cryptoBytes, deno, variable, wait } from './system.js';

/**
 * Performs one effect. What goes wrong is an answer.
 *
 * @type {ffi.Perform}
 */
export function perform(effect, text, textLength, more, moreLength, number, flag) {
  if (!IS_NATIVE) return byNode(effect, text, textLength, more, moreLength, number, flag);
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
  return { git_root: variable('GIT_ROOT') ?? null, working: deno.cwd() };
}

/** @param {string} path as it is opened from the working folder */
export function absolute(path) {
  return IS_NATIVE ? resolved(path) : nodeHost().absolute(path);
}

/**
 * Effects by their numbers, see `EFFECTS` of the ffi.
 *
 * @type {ffi.Perform}
 */
function dispatch(effect, at, length, more, moreLength, number, flag) {
  switch (effect) {
    case 0:
      return ffi.answerClock(Date.now(), performance.now());
    case 1:
      return ffi.answerBytes(cryptoBytes(number));
    case 2:
      return wait(number);
    case 3:
      return files.ascend(ffi.text(at, length), ffi.text(more, moreLength));
    case 4:
      return files.inspect(ffi.text(at, length));
    case 5:
      return files.read(ffi.text(at, length), number, flag);
    case 6:
      return files.readStart(ffi.text(at, length), number);
    case 7:
      return files.makeFolder(ffi.text(at, length), flag);
    case 8:
      return files.create(ffi.text(at, length), ffi.part(more, moreLength), number, flag);
    case 9:
      return files.rename(ffi.text(at, length), ffi.text(more, moreLength));
    case 10:
      return files.link(ffi.text(at, length), ffi.text(more, moreLength));
    case 11:
      return files.remove(ffi.text(at, length));
    case 14:
      return files.list(ffi.text(at, length), number);
    case 15:
      return files.syncFolder(ffi.text(at, length));
    case 22:
      return files.survey(ffi.text(at, length), ffi.texts(more, moreLength));
    default:
      // Among them: a folder that is removed, because `Deno.removeSync` takes a file that stands there
      // by then, modes, because `Deno.chmodSync` follows a link, and what hooks do without.
      return byNode(effect, at, length, more, moreLength, number, flag);
  }
}
