// What real agents sent to their hooks, and what each of it is answered with.

import * as fs from 'node:fs';

const folder = new URL('.', import.meta.url);

/** The agents of which there are recordings. */
export const AGENTS = ['claude-code', 'codex', 'gemini'];

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
    const { hook_event_name: event, tool_name: tool = '' } = JSON.parse(line);
    const kind = `${event} ${tool}`;
    if (NOISE.has(event) && seen.has(kind)) return [];
    seen.add(kind);
    const before = `${at + 1} ${kind} `;
    if (!golden[at].startsWith(before)) throw new Error(`${agent}: line ${at + 1} is not that of the golden file`);
    const payload = line.replaceAll(`"${PROJECT}`, `"${root}`).replaceAll(`: ${PROJECT}/`, `: ${root}/`);
    return [{ number: at + 1, event, payload, answer: golden[at].slice(before.length) }];
  });
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
