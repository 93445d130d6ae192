// One operation, on a host of the caller's.

import { text } from './arguments.js';
import { ofObjects } from './host/objects.js';
import { run } from './instance.js';
import { unexpected } from './reply.js';

/** @typedef {import('../types/operation.js').Effect} Effect */
/** @typedef {import('../types/operation.js').Outcome} Outcome */

/**
 * @param {string} request
 * @param {(effect: Effect) => Outcome} perform
 * @returns {string}
 */
export function runOperation(request, perform) {
  if (typeof perform !== 'function') throw unexpected('perform', 'a function', perform);
  return run(text('request', request), ofObjects(perform));
}
