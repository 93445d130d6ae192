// The rules alone, without effects. Throwing.

import * as check from './arguments.js';
import { membersOf } from '../wasm/wire.js';
import { decide } from './operation.js';

const POLICIES = /** @type {const} */ (['reject', 'truncate', 'warn']);

/**
 * @param {string | object} checkpoint JSON text, or an object
 * @param {{commands?: string[] | null}} [options]
 * @returns {import('../../types/index.js').Validation}
 */
export function validateCheckpoint(checkpoint, options) {
  const { commands } = check.options('options', options, ['commands']);
  const more = commands ? { commands: JSON.parse(check.texts('commands', commands)) } : {};
  return decide('validate', ...given('checkpoint', checkpoint, more));
}

/**
 * @param {string | object} asked JSON text, or an object
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
export function checkHandoffRequest(asked) {
  return checked('check_handoff_request', given('request', asked));
}

/**
 * @param {string | object} response JSON text, or an object
 * @param {import('../../types/index.js').SummaryPolicy} [policy]
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
export function checkHandoffResponse(response, policy = 'reject') {
  const chosen = { policy: check.choice('policy', policy, POLICIES) };
  return checked('check_handoff_response', given('response', response, chosen));
}

/**
 * @param {string} operation
 * @param {[members: string, text?: string]} asked
 * @returns {import('../../types/index.js').HandoffVerdict}
 */
function checked(operation, [members, text]) {
  /** @type {import('../../types/index.js').Warning[]} */
  const warnings = [];
  const verdict = decide(operation, members, text, (warning) => void warnings.push(warning));
  return { valid: verdict.valid, problems: verdict.problems, warnings, document: JSON.parse(verdict.text) };
}

/**
 * A document, as the members of a request and the text behind it.
 *
 * @param {string} name of the argument
 * @param {string | object} value JSON text, or an object
 * @param {object} [more]
 * @returns {[members: string, text?: string]}
 */
function given(name, value, more = {}) {
  if (typeof value !== 'string') return [`${membersOf(more)},"document":${check.json(name, value)}`];
  // Behind the request it needs no escapes, which would cost more than what the rules do. What is no Unicode has none
  // but them.
  return value.isWellFormed?.() ? [membersOf(more), value] : [membersOf({ ...more, text: value })];
}
