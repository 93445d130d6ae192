// `node hook.js AGENT EVENT`, as the plugin for Claude Code registers it. Where settings have an entry of ours for the
// event as well, and what that runs is there, that one takes the event, and nothing happens here: two would write
// the same twice and tell the agent twice. The other one knows nothing of this and pays nothing for it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rest } from 'milepost:rest';
import { programs, project as ofProject, user as ofUser } from './plugin-hook.json';

/** @typedef {{command?: unknown, args?: unknown}} Handler */

const [, event = ''] = process.argv.slice(2);
const { CLAUDE_PROJECT_DIR: project = process.cwd() } = process.env;

if (!isTaken()) rest();

/** Whether an entry in settings takes the event. */
function isTaken() {
  const user = process.env[ofUser.variable] || path.join(os.homedir(), ofUser.folder);
  const files = [...ofProject.map((file) => path.join(project, file)), path.join(user, ofUser.file)];
  return files.some((file) => handlersIn(file).some(isOurs));
}

/**
 * The handlers of the event in a file of settings. One that cannot be read has none for Claude Code either.
 *
 * @param {string} file
 * @returns {Handler[]}
 */
function handlersIn(file) {
  try {
    const text = fs.readFileSync(file, 'utf8');
    if (!Object.values(programs).some((program) => text.includes(program))) return [];
    const groups = JSON.parse(text).hooks[event];
    return groups.flatMap((/** @type {{hooks: Handler[]}} */ { hooks }) => hooks);
  } catch {
    return [];
  }
}

/**
 * Whether a handler runs a program of ours that is there: in a clone without its packages, nobody else takes the
 * event.
 *
 * @param {Handler} handler
 */
function isOurs({ command, args }) {
  const line = String(command);
  const words = (Array.isArray(args) ? args : line.split('"')).map((word) => String(word).replaceAll('\\', '/'));
  const isCompiled = line.includes('milepost') && line.includes(' hook ');
  const program = words.find((word) => word.endsWith(programs.node) || (isCompiled && word.endsWith(programs.wasmtime)));
  return program !== undefined && fs.existsSync(program.replace('${CLAUDE_PROJECT_DIR}', project));
}
