// `node hook.js AGENT [EVENT] [SCOPE]`: takes one event of a coding agent, as its hook was sent it, into the
// checkpoint of the project. `node hook.js statusline [--then COMMAND]` is the status line of Claude Code, with
// that of another command before it. `--store env:NAME --project PROJECT` names a database. An error must not
// disturb the agent: one line on standard error at most, and exit code 0, never 2.

import fs from 'node:fs';
import { loadEvent, loadPrecedence, loadStored, loadLibrary } from 'milepost:event';
import AGENTS from '../base/agents.json';
import { messageOf } from '../base/brand.js';
import { readPayload } from './payload.js';
import { plainWords } from '../base/plain-words.js';
import { TRIAL } from '../base/trial.js';

/** @typedef {{events: {[name: string]: string[] | null}, environment: string[]}} Agent */

const [agent = '', ...words] = process.argv.slice(2);
const store = words.indexOf('--store');
/** The words that name a database; most entries name none. */
const database = store < 0 ? undefined : words.splice(store, 4);
/** In whose settings the entry is that runs this; those of a project do not say it. */
const scope = words.find((word) => word === 'user' || word === 'local');
const event = words.find((word) => word !== scope);

/** Members that only Cursor sends, to the hooks of other agents too. */
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
  if (agent === 'statusline') {
    return database ? loadStored().showStatus(payload, words, database) : loadEvent().showStatus(payload, words);
  }
  const known = /** @type {{[name: string]: Agent}} */ (AGENTS)[agent];
  if (known === undefined) throw new Error(`expected one of ${Object.keys(AGENTS).join(', ')}, got ${agent}`);
  if (isNothing(known, payload)) {
    if (nameOf(payload) === TRIAL) loadEvent().answerTrial(agent);
    return;
  }
  const project = known.environment.map((name) => process.env[name]).find((value) => value);
  const sender = senderOf(payload);
  // Most entries are those of the project, on their own agent: they ask nothing.
  if ((scope !== undefined || sender !== agent) && isLeft(sender, project, payload)) return;
  const happened = { agent: sender === 'copilot' ? sender : agent, event, project, payload };
  if (database) loadStored().takeEvent(happened, database);
  else loadEvent().takeEvent(happened);
}

/**
 * Returns whether an event has no meaning here, or is of a tool that has none. One that another agent
 * sent is for the core to recognize.
 *
 * @param {Agent} known
 * @param {any} payload
 */
function isNothing({ events }, payload) {
  const name = nameOf(payload);
  if (typeof name !== 'string' || CURSORS_OWN.some((member) => member in payload)) return false;
  if (!Object.hasOwn(events, name)) {
    return !Object.values(AGENTS).some((other) => Object.hasOwn(other.events, name));
  }
  const tools = events[name];
  const tool = payload.tool_name ?? payload.toolName ?? payload.tool;
  return tools != null && typeof tool === 'string' && !tools.includes(tool);
}

/**
 * The agent that started this: Cursor and Copilot CLI run the entries of Claude Code, too. The variable alone would
 * name Copilot CLI in an agent that was started from it.
 *
 * @param {any} payload
 */
function senderOf(payload) {
  if (agent !== 'claude-code') return agent;
  if (CURSORS_OWN.some((member) => member in payload)) return 'cursor';
  return process.env.COPILOT_CLI && 'timestamp' in payload ? 'copilot' : agent;
}

/**
 * Returns whether another entry takes the event.
 *
 * @param {string} sender
 * @param {string | undefined} project
 * @param {any} payload
 */
function isLeft(sender, project, payload) {
  const folder = payload.workspace_roots?.[0] ?? payload.cwd ?? payload.directory ?? process.cwd();
  const name = nameOf(payload) ?? '';
  return loadPrecedence().isLeftToAnother({ agent, scope: scope ?? 'project', sender, event: name, project, folder });
}

/**
 * The event's name: some payloads do not say it.
 *
 * @param {any} payload
 */
function nameOf(payload) {
  return payload.hook_event_name ?? payload.hookEventName ?? payload.event ?? event;
}

/**
 * One line: some messages go on with a stack.
 *
 * @param {unknown} error
 */
function report(error) {
  const message = messageOf(error);
  try {
    fs.writeSync(2, `[milepost hook] ${printable(message.split('\n', 1)[0])}\n`);
  } catch {
    // The output is closed.
  }
}

/**
 * A message without its secrets, and with its hidden characters visible. What does that is loaded here alone.
 *
 * @param {string} message
 */
function printable(message) {
  try {
    return loadLibrary().printable(message);
  } catch {
    // Of a package that is not whole, plain words are shown.
    return plainWords(message);
  }
}
