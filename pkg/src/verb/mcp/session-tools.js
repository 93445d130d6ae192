// The tools of snapshots.

import * as schemas from './schemas.js';
import { shape, without } from './shape.js';

/** @typedef {import('./tools.js').Tool} Tool */

/** @type {Tool[]} */
const TOOLS = [
  {
    name: 'milepost_create',
    title: 'Create a snapshot',
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
    title: 'List snapshots',
    description: 'Lists the snapshots, the newest first.',
    input: schemas.list_sessions.arguments,
    output: shape({ sessions: schemas.list_sessions.answer }, ['sessions']),
    annotations: { readOnlyHint: true },
    run: (work, given) => ({ sessions: work.ask('list_sessions', given) }),
  },
  {
    name: 'milepost_restore',
    title: 'Restore a snapshot',
    description:
      'Returns what a snapshot says to the agent that carries on. `files` restores its files too, and discards ' +
      'changes since then: make the plan with `dry_run` first, show it to the user, then give its id as `plan`.',
    // People decide on the command line whether files in the way are lost.
    input: without(schemas.restore_session.arguments, 'force'),
    output: schemas.restore_session.answer,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: (work, given) => work.ask('restore_session', given),
  },
  {
    name: 'milepost_verify',
    title: 'Verify a snapshot',
    description: 'Returns whether the files and the commit match those of a snapshot.',
    input: schemas.verify_session.arguments,
    output: schemas.verify_session.answer,
    annotations: { readOnlyHint: true },
    run: (work, given) => work.ask('verify_session', given),
  },
];

/** They keep and compare files of the work tree. @type {Tool[]} */
export const SESSION_TOOLS = TOOLS.map((tool) => ({ ...tool, isOnFiles: true }));
