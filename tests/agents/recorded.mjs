// The payloads that real agents sent to their hooks, and the answer to each.

import * as fs from 'node:fs';

const folder = new URL('.', import.meta.url);

/** The agents of which there are recordings. */
export const AGENTS = ['claude-code', 'codex', 'gemini', 'copilot', 'opencode', 'qwen-code'];

/** The folder that the recordings name for the project. */
const PROJECT = '/project';

/** Events that mean nothing to this program, of which there are many. */
const NOISE = new Set([
  ...['AfterModel', 'BeforeModel', 'BeforeTool', 'BeforeToolSelection', 'MessageDisplay', 'PostToolBatch'],
  ...['PreModelRequest', 'PreToolUse'],
]);

/**
 * Each payload, with the answer that the golden file has for it. Of those that mean nothing one of
 * each kind is enough: a process for each would take longer than all others.
 *
 * @param {string} agent
 * @param {string} root the project's folder here
 */
export function recorded(agent, root) {
  const lines = fs.readFileSync(new URL(`${agent}.jsonl`, folder), 'utf8').trimEnd().split('\n');
  const golden = fs.readFileSync(new URL(`../golden/agents/${agent}.txt`, folder), 'utf8').split('\n');
  const seen = new Set();
  return lines.flatMap((line, at) => {
    const { event, tool, words, payload: text } = partsOf(line);
    const kind = `${event} ${tool}`;
    if (NOISE.has(event) && seen.has(kind)) return [];
    seen.add(kind);
    const before = `${at + 1} ${kind} `;
    if (!golden[at].startsWith(before)) throw new Error(`${agent}: line ${at + 1} is not that of the golden file`);
    const payload = text.replaceAll(`"${PROJECT}`, `"${root}`).replaceAll(`: ${PROJECT}/`, `: ${root}/`);
    return [{ number: at + 1, event, words, payload, answer: golden[at].slice(before.length) }];
  });
}

/**
 * The payloads that hooks of an agent got when it was recorded, without the events that mean nothing.
 *
 * @param {string} agent
 */
export function payloadsOf(agent) {
  const lines = fs.readFileSync(new URL(`${agent}.jsonl`, folder), 'utf8').trimEnd().split('\n');
  return lines.map(receivedOf).filter(({ event }) => !NOISE.has(event));
}

/**
 * An answer without how long ago something was, and without the words that start the program: the golden files have
 * the time of the recording, and the words of a package in the project.
 *
 * @param {string} answer
 */
export const comparable = (answer) =>
  answer
    .replaceAll(/(?:less than a minute|\d+ \w+) ago/g, '… ago')
    .replaceAll(/`[^`]*milepost(?:\.js'?)? (?=(?:resume|phase) )/g, '`milepost ');

/**
 * The payload of a hook, from a line that was recorded. Where payloads do not name their events, the event stands beside the
 * payload.
 *
 * @param {string} line
 * @returns {import('./shapes.mjs').Received}
 */
export function receivedOf(line) {
  const recorded = JSON.parse(line);
  const payload = recorded.payload ?? recorded;
  return {
    event: payload.hook_event_name ?? recorded.event ?? payload.event,
    tool: payload.tool_name ?? payload.toolName ?? payload.tool ?? '',
    payload,
  };
}

/**
 * The parts of a line: what an agent's hook is sent, and the words behind the name of the agent.
 *
 * @param {string} line
 */
function partsOf(line) {
  const recorded = JSON.parse(line);
  const isBeside = recorded.payload !== undefined;
  const { event, tool, payload } = receivedOf(line);
  return {
    event,
    tool,
    words: isBeside ? [recorded.event] : [],
    payload: isBeside ? JSON.stringify(payload) : line,
  };
}

/**
 * A repository without a commit, on the branch of the golden files.
 *
 * @param {string} root
 */
export function asRecorded(root) {
  fs.mkdirSync(`${root}/.git`);
  fs.writeFileSync(`${root}/.git/HEAD`, 'ref: refs/heads/feature/parser\n');
}
