// The tools of session checkpoints.

import * as schemas from './schemas.js';
import { shape, without } from './shape.js';

/** @typedef {import('./tools.js').Tool} Tool */

/** @type {Tool[]} */
const TOOLS = [
  {
    name: 'milepost_create',
    title: 'Create a session checkpoint',
    description:
      'Keeps this moment of the work, with the files that differ from HEAD, to carry on from or to go back to: ' +
      'before something risky, at a handoff, or when the user asks for it.',
    input: schemas.create_session.arguments,
    output: schemas.create_session.answer,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: (work, given) => work.ask('create_session', given),
  },
  {
    name: 'milepost_list',
    title: 'Session checkpoints',
    description: 'Lists the session checkpoints, the newest first.',
    input: schemas.list_sessions.arguments,
    output: shape({ sessions: schemas.list_sessions.answer }, ['sessions']),
    annotations: { readOnlyHint: true },
    run: (work, given) => ({ sessions: work.ask('list_sessions', given) }),
  },
  {
    name: 'milepost_restore',
    title: 'Carry on from a session checkpoint',
    description:
      'Returns what a session checkpoint says to the next agent. With `files`, its files are brought back, and ' +
      'changes since then go: make the plan with `dry_run` first, show it to the user, then give its id as `plan`.',
    // People decide on the command line whether files in the way are lost.
    input: without(schemas.restore_session.arguments, 'force'),
    output: schemas.restore_session.answer,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: (work, given) => work.ask('restore_session', given),
  },
  {
    name: 'milepost_verify',
    title: 'Compare with a session checkpoint',
    description: 'Says whether the files and the commit are as a session checkpoint has them.',
    input: schemas.verify_session.arguments,
    output: schemas.verify_session.answer,
    annotations: { readOnlyHint: true },
    run: (work, given) => work.ask('verify_session', given),
  },
];

/** They keep and compare files of the work tree. @type {Tool[]} */
export const SESSION_TOOLS = TOOLS.map((tool) => ({ ...tool, isOnFiles: true }));
