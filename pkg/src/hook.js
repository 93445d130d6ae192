// `node hook.js AGENT [EVENT]`: takes one event of a coding agent, as its hook was sent it, into the
// checkpoint of the project. `node hook.js statusline [--then COMMAND]` is the status line of Claude Code, with
// that of another command before it. Whatever goes wrong must not disturb the agent: one line on standard error at
// most, and exit code 0, never 2.

import fs from 'node:fs';
import { loadEvent } from 'milepost:event';
import AGENTS from './agents.json';
import { readPayload } from './payload.js';

/** @typedef {{events: {[name: string]: string[] | null}, environment: string[]}} Agent */

const [agent = '', event] = process.argv.slice(2);

/** What only Cursor sends, to the hooks of other agents too. */
const CURSORS_OWN = ['cursor_version', 'conversation_id', 'workspace_roots'];

readPayload((failure, payload) => {
  try {
    if (failure) throw failure;
    if (payload !== null) take(payload);
  } catch (error) {
    report(error);
  }
  // All is written, and to take the program down takes longer than to leave it.
  process.exit(0);
});

/**
 * Takes a payload. What means nothing to this program ends here, before anything else is loaded.
 *
 * @param {any} payload
 */
function take(payload) {
  if (agent === 'statusline') return loadEvent().showStatus(payload);
  const known = /** @type {{[name: string]: Agent}} */ (AGENTS)[agent];
  if (known === undefined) throw new Error(`expected one of ${Object.keys(AGENTS).join(', ')}, got ${agent}`);
  if (isNothing(known, payload)) return;
  const project = known.environment.map((name) => process.env[name]).find((value) => value);
  loadEvent().takeEvent({ agent, event, project, payload });
}

/**
 * Whether an event is none of those that mean something, or of a tool that does not. One that another agent
 * sent is for the core to tell.
 *
 * @param {Agent} known
 * @param {any} payload
 */
function isNothing({ events }, payload) {
  const name = payload.hook_event_name ?? payload.hookEventName ?? payload.event ?? event;
  if (typeof name !== 'string' || CURSORS_OWN.some((member) => member in payload)) return false;
  if (!Object.hasOwn(events, name)) {
    return !Object.values(AGENTS).some((other) => Object.hasOwn(other.events, name));
  }
  const tools = events[name];
  const tool = payload.tool_name ?? payload.toolName ?? payload.tool;
  return tools != null && typeof tool === 'string' && !tools.includes(tool);
}

/**
 * One line: some messages go on with a stack.
 *
 * @param {unknown} error
 */
function report(error) {
  const message = error instanceof Error ? error.message : String(error);
  try {
    fs.writeSync(2, `[milepost hook] ${message.split('\n', 1)[0]}\n`);
  } catch {
    // Nobody listens.
  }
}
