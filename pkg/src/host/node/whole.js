// The host adapter for Node with all that it can do. Hooks load `index.js` alone.

import * as ffi from '../../wasm/ffi.js';
import { failed } from './fault.js';
import { perform as performOfHooks } from './index.js';
import * as worktree from './worktree.js';

export { absolute, place } from './index.js';

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
 * Effects by their numbers, see `EFFECTS` of the ffi.
 *
 * @type {ffi.Perform}
 */
function dispatch(effect, at, length, more, moreLength, number, flag) {
  switch (effect) {
    case 23:
      return worktree.part(ffi.text(at, length), ffi.float(more), number, flag);
    case 24:
      return worktree.readLink(ffi.text(at, length));
    case 25:
      return worktree.append(ffi.text(at, length), ffi.part(more, moreLength), flag);
    case 26:
      return worktree.symlink(ffi.text(at, length), ffi.part(more, moreLength));
    case 27:
      return worktree.setMode(ffi.text(at, length), flag, number);
    case 28:
      return worktree.scan(ffi.text(at, length), number);
    default:
      return performOfHooks(effect, at, length, more, moreLength, number, flag);
  }
}
