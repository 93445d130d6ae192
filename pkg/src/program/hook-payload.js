// The content of an event of a coding agent, and the checkpoint's reply to it.

import UNREAD from '../base/unread.json';
import { valueOf } from '../wasm/wire.js';

/**
 * Leaves out what nothing is read from. Whole files stand there, which the wasm would have to look through.
 *
 * @param {object} part of a payload
 */
export function lighten(part, depth = 2) {
  for (const value of Object.values(part)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue;
    for (const name of UNREAD) if (name in value) value[name] = undefined;
    if (depth > 1) lighten(value, depth - 1);
  }
}

/**
 * The value of a reply.
 *
 * @param {string} reply
 */
export function answerOf(reply) {
  return valueOf(reply, (error) => new Error(error.message));
}
