// The tools of snapshots.

import * as schemas from './schemas.js';
import { join, only, optional, shape, without } from './shape.js';

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
  {
    name: 'milepost_rewind',
    title: 'Rewind files to before a prompt',
    description:
      'Takes back what an agent changed since a prompt, and leaves what the user changed. Without arguments it lists ' +
      'the prompts of this branch, the newest first. `to`, or `undo` for the last rewind, makes the plan and touches ' +
      'nothing: show it to the user, and give its id as `plan` only when the user wants exactly that.',
    input: join(only(schemas.list_prompts.arguments, 'limit'), without(schemas.rewind.arguments, 'dry_run')),
    output: join(shape({ prompts: schemas.list_prompts.answer }), optional(schemas.rewind.answer)),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    run: rewind,
  },
];

/** They keep and compare files of the work tree. @type {Tool[]} */
export const SESSION_TOOLS = TOOLS.map((tool) => ({ ...tool, isOnFiles: true }));

/**
 * The prompts; with one of them, or the last rewind, the plan; with that, the rewind.
 *
 * @type {Tool['run']}
 */
function rewind(work, { limit, ...given }) {
  if (Object.keys(given).length === 0) return { prompts: work.ask('list_prompts', { limit }) };
  return work.ask('rewind', { ...given, dry_run: given.plan === undefined });
}
