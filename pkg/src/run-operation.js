// `milepost/operation`: one operation, on a host of the caller's.

import { run, text, unexpected } from './core.js';

/** @typedef {import('../types/operation.js').Effect} Effect */
/** @typedef {import('../types/operation.js').Outcome} Outcome */

/**
 * @param {string} request
 * @param {(effect: Effect) => Outcome} perform
 * @returns {string}
 */
export function runOperation(request, perform) {
  if (typeof perform !== 'function') throw unexpected('perform', 'a function', perform);
  return run(text('request', request), perform);
}
