// An event of a coding agent whose hook names a database: runs are kept there. Where it cannot be used, they are kept in
// files, and the core says so to the agent.

import { perform, place } from 'milepost:host';
import { reach } from '../host/database/reach.js';
import { print } from '../host/node/system.js';
import { run } from '../wasm/instance.js';
import { membersOf, replyOf, requestOf } from '../wasm/wire.js';
import { answerOf, lighten } from './hook-payload.js';
import { programOfHook } from './hook-program.js';
import { printStatus } from './status-line.js';

/** Agents wait for the last hook of a session no longer than three seconds, of which files take a part. */
const REACH_WITHIN_MS = 1_500;
const ALL_WITHIN_MS = 2_000;

/** @typedef {import('../host/database/reach.js').Named} Named */

/**
 * Takes an event into the run of the project, and prints the answer.
 *
 * @param {{agent: string, event?: string, project?: string, payload: object}} happened
 * @param {string[]} words that name the database
 */
export function takeEvent(happened, words) {
  lighten(happened.payload);
  const named = namedBy(words);
  const members = { ...happened, program: programOfHook(happened) };
  const missed = inDatabase('hook', { ...members, database: named }, named, answer);
  if (missed === null) return;
  const { isSet, reason } = missed;
  const kept_in_files = { ...named, ...(isSet && { reason }) };
  answer(run(requestOf('hook', place(), membersOf({ ...members, kept_in_files })), perform));
}

/**
 * Prints the status line.
 *
 * @param {object} payload
 * @param {string[]} words of the call
 * @param {string[]} database the words that name it
 */
export function showStatus(payload, words, database) {
  printStatus(payload, words, () => {
    /** @type {string | undefined} */
    let reply;
    inDatabase('status_line', { payload }, namedBy(database), (text) => (reply = text));
    return answerOf(reply ?? run(requestOf('status_line', place(), membersOf({ payload })), perform)).line;
  });
}

/**
 * Runs an operation on the database, and hands over its reply before the connection is closed. Without a reply nothing
 * of it is known to be stored there, and `reason` says why.
 *
 * @param {string} operation
 * @param {object} members
 * @param {Named} named
 * @param {(reply: string) => void} take
 * @returns {{isSet: boolean, reason: string} | null} null where it has replied
 */
function inDatabase(operation, members, named, take) {
  const reached = reach(named, perform, { limit: REACH_WITHIN_MS, deadline: performance.now() + ALL_WITHIN_MS });
  if ('failed' in reached) return { isSet: reached.isSet, reason: reached.failed.message };
  try {
    const request = requestOf(operation, { ...place(), ...reached.place }, membersOf(members));
    const reply = run(request, reached.perform);
    const { ok, error } = replyOf(reply);
    if (!ok && reached.hasFailed()) return { isSet: true, reason: error.message };
    take(reply);
    return null;
  } finally {
    reached.close();
  }
}

/** @param {string} reply */
function answer(reply) {
  const { output } = answerOf(reply);
  if (output !== null) print(1, Buffer.from(`${output}\n`));
}

/**
 * The database that `--store env:NAME --project PROJECT` names.
 *
 * @param {string[]} words
 * @returns {Named}
 */
function namedBy([, variable = '', option, project = '']) {
  if (!variable.startsWith('env:') || option !== '--project' || project === '') {
    throw new Error('expected `--store env:NAME --project PROJECT`, as `milepost hooks install` writes it');
  }
  return { variable: variable.slice('env:'.length) || null, project };
}
