// `node hook.js AGENT [EVENT]`: takes one event of a coding agent, as its hook was sent it, into the
// checkpoint of the project. `node hook.js statusline [--then COMMAND]` is the status line of Claude Code, with
// that of another command before it. Whatever goes wrong must not disturb the agent: one line on standard error at
// most, and exit code 0, never 2.

import fs from 'node:fs';
import { perform, place } from 'milepost:host';
import { rest } from 'milepost:rest';
import AGENTS from './agents.json';
import { print } from './host/node/system.js';
import { run } from './instance.js';
import { readPayload } from './payload.js';
import UNREAD from './unread.json';

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
});

/**
 * Takes a payload. What means nothing to this program ends here, before any wasm is loaded.
 *
 * @param {any} payload
 */
function take(payload) {
  if (agent === 'statusline') return showStatus(payload);
  const known = /** @type {{[name: string]: Agent}} */ (AGENTS)[agent];
  if (known === undefined) throw new Error(`expected one of ${Object.keys(AGENTS).join(', ')}, got ${agent}`);
  if (isNothing(known, payload)) return;
  const project = known.environment.map((name) => process.env[name]).find((value) => value);
  lighten(payload);
  const request = JSON.stringify({ operation: 'hook', place: place(), agent, event, project, payload });
  const { output } = valueOf(run(request, perform) || rest().run(request));
  if (output !== null) print(1, Buffer.from(`${output}\n`));
}

/**
 * Leaves out what nothing is read from. Whole files stand there, which the wasm would have to look through.
 *
 * @param {object} part of a payload
 */
function lighten(part, depth = 2) {
  for (const value of Object.values(part)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue;
    for (const name of UNREAD) if (name in value) value[name] = undefined;
    if (depth > 1) lighten(value, depth - 1);
  }
}

/**
 * Prints the status line, and that of the command which was there before it.
 *
 * @param {object} payload
 */
function showStatus(payload) {
  const [, word, command] = process.argv.slice(2);
  if (word === '--then' && command) {
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const input = JSON.stringify(payload);
    spawnSync(command, { shell: true, input, stdio: ['pipe', 'inherit', 'ignore'], windowsHide: true });
  }
  const { line } = valueOf(rest().run(JSON.stringify({ operation: 'status_line', place: place(), payload })));
  if (line !== null) print(1, Buffer.from(`${line}\n`));
}

/**
 * The value of a reply.
 *
 * @param {string} reply JSON text
 */
function valueOf(reply) {
  const { ok, value, error } = JSON.parse(reply);
  if (!ok) throw new Error(error.message);
  return value;
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
