// The host adapter for Deno: the effects of `host/node` over `Deno.*`, because loading `node:fs` takes
// Deno longer than all the rest of a hook. It performs one effect and decides nothing. What `Deno.*`
// cannot do without losing a guarantee, and other systems than Linux and macOS, have Node's adapter.

import * as border from '../../border.js';
import { failed } from './fault.js';
import * as files from './files.js';
import { IS_NATIVE, byNode, nodeHost } from './other.js';
import { cryptoBytes, deno, variable, wait } from './system.js';
import { resolved } from './way.js';

/**
 * Performs one effect. What goes wrong is an answer.
 *
 * @type {border.Perform}
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
 * Where this process works. Read anew each time: scripts and tests change it.
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
 * Effects by their numbers, see `EFFECTS` of the border.
 *
 * @type {border.Perform}
 */
function dispatch(effect, at, length, more, moreLength, number, flag) {
  switch (effect) {
    case 0:
      return border.answerClock(Date.now(), performance.now());
    case 1:
      return border.answerBytes(cryptoBytes(number));
    case 2:
      return wait(number);
    case 3:
      return files.ascend(border.text(at, length), border.text(more, moreLength));
    case 4:
      return files.inspect(border.text(at, length));
    case 5:
      return files.read(border.text(at, length), number, flag);
    case 6:
      return files.readStart(border.text(at, length), number);
    case 7:
      return files.makeFolder(border.text(at, length), flag);
    case 8:
      return files.create(border.text(at, length), border.part(more, moreLength), number, flag);
    case 9:
      return files.rename(border.text(at, length), border.text(more, moreLength));
    case 10:
      return files.link(border.text(at, length), border.text(more, moreLength));
    case 11:
      return files.remove(border.text(at, length));
    case 14:
      return files.list(border.text(at, length), number);
    case 15:
      return files.syncFolder(border.text(at, length));
    case 22:
      return files.survey(border.text(at, length), border.texts(more, moreLength));
    default:
      // Among them: a folder that is removed, because `Deno.removeSync` takes a file that stands there
      // by then, modes, because `Deno.chmodSync` follows a link, and what hooks do without.
      return byNode(effect, at, length, more, moreLength, number, flag);
  }
}
