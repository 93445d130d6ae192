// The rules alone, without effects. Throwing.

import * as check from './core.js';
import { operate } from './operation.js';

/**
 * @param {string | object} checkpoint JSON text, or an object
 * @returns {import('../types/index.js').Validation}
 */
export function validateCheckpoint(checkpoint) {
  return operate({ operation: 'validate', text: document('checkpoint', checkpoint) });
}

/**
 * @param {string} name
 * @param {string | object} value
 */
function document(name, value) {
  return typeof value === 'string' ? value : check.json(name, value);
}
