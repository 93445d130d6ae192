// The rules alone, without effects. Throwing.

import * as check from './core.js';
import { operate } from './operation.js';

/** Rules ask for no effect. */
const NO_HOST = {
  perform() {
    throw new Error('a rule asked for an effect');
  },
};

const POLICIES = /** @type {const} */ (['reject', 'truncate', 'warn']);

/**
 * @param {string | object} checkpoint JSON text, or an object
 * @returns {import('../types/index.js').Validation}
 */
export function validateCheckpoint(checkpoint) {
  return operate(NO_HOST, { operation: 'validate', text: document('checkpoint', checkpoint) });
}

/**
 * @param {string | object} request JSON text, or an object
 * @returns {import('../types/index.js').HandoffVerdict}
 */
export function checkHandoffRequest(request) {
  return checked({ operation: 'check_handoff_request', text: document('request', request) });
}

/**
 * @param {string | object} response JSON text, or an object
 * @param {import('../types/index.js').SummaryPolicy} [policy]
 * @returns {import('../types/index.js').HandoffVerdict}
 */
export function checkHandoffResponse(response, policy = 'reject') {
  return checked({
    operation: 'check_handoff_response',
    text: document('response', response),
    policy: check.choice('policy', policy, POLICIES),
  });
}

/**
 * @param {object} request
 * @returns {import('../types/index.js').HandoffVerdict}
 */
function checked(request) {
  /** @type {import('../types/index.js').Warning[]} */
  const warnings = [];
  const { valid, problems, text } = operate(NO_HOST, request, (warning) => warnings.push(warning));
  return { valid, problems, warnings, document: JSON.parse(text) };
}

/**
 * @param {string} name
 * @param {string | object} value
 */
function document(name, value) {
  return typeof value === 'string' ? value : check.json(name, value);
}
