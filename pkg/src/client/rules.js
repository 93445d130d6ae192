// The rules alone, without effects. Throwing.

import * as check from './arguments.js';
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
 * @param {{commands?: string[] | null}} [options]
 * @returns {import('../../types/index.js').Validation}
 */
export function validateCheckpoint(checkpoint, options) {
  const { commands } = check.options('options', options, ['commands']);
  const more = commands ? { commands: JSON.parse(check.texts('commands', commands)) } : {};
  return operate(NO_HOST, 'validate', request('validate', 'checkpoint', checkpoint, more));
}

/**
 * @param {string | object} asked JSON text, or an object
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
export function checkHandoffRequest(asked) {
  const operation = 'check_handoff_request';
  return checked(operation, request(operation, 'request', asked));
}

/**
 * @param {string | object} response JSON text, or an object
 * @param {import('../../types/index.js').SummaryPolicy} [policy]
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
export function checkHandoffResponse(response, policy = 'reject') {
  const operation = 'check_handoff_response';
  const chosen = { policy: check.choice('policy', policy, POLICIES) };
  return checked(operation, request(operation, 'response', response, chosen));
}

/**
 * @param {string} operation
 * @param {string} request
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
function checked(operation, request) {
  /** @type {import('../../types/index.js').Warning[]} */
  const warnings = [];
  const onWarning = (/** @type {any} */ warning) => warnings.push(warning);
  const { valid, problems, text } = operate(NO_HOST, operation, request, onWarning);
  return { valid, problems, warnings, document: JSON.parse(text) };
}

/**
 * @param {string} operation
 * @param {string} name of the argument
 * @param {string | object} value JSON text, or an object
 * @param {object} [more]
 */
function request(operation, name, value, more = {}) {
  if (typeof value === 'string') {
    // Behind the request it needs no escapes, which would cost more than what the rules do. What is
    // no Unicode has none but them.
    return value.isWellFormed?.()
      ? `\0${JSON.stringify({ operation, ...more })}\0${value}`
      : JSON.stringify({ operation, ...more, text: value });
  }
  const fields = JSON.stringify({ operation, ...more }).slice(0, -1);
  return `${fields},"document":${check.json(name, value)}}`;
}
