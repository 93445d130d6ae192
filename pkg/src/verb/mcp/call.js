// One call of a tool, from arguments to result.

import { sentence } from '../../base/messages.js';
import { shown } from '../../base/visible.js';
import { checked } from './arguments.js';
import { shape } from './shape.js';
import { Refusal } from '../../client/operations.js';
import { Work } from './work.js';

/** @typedef {import('./tools.js').Tool} Tool */

/** Why a tool does nothing on a server that was started with `--store`. */
const ON_FILES = 'works on files, which a database does not have: use a server without `--store`';

/** Members that every answer may have beside its own. */
const WARNINGS = {
  type: 'array',
  description: 'Warnings of the call; the work can go on.',
  items: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'Which one it is, such as `stale`.' },
      message: { type: 'string', description: 'The same as a sentence.' },
      hint: { type: 'string', description: 'What would help.' },
    },
    required: ['code', 'message'],
  },
};

/** Members that every answer about a project has beside its own. */
const PROJECT = {
  ...shape(
    {
      root: { type: 'string', description: 'Its root.' },
      branch: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'The branch that is checked out.' },
    },
    ['root', 'branch'],
  ),
  description: 'What the call worked on.',
};

/**
 * A tool as clients list it.
 *
 * @param {Tool} tool
 */
export function listed({ name, title, description, input, output, annotations, isAlone }) {
  const project = isAlone ? {} : { project: PROJECT };
  return {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: { ...output, properties: { ...output.properties, ...project, warnings: WARNINGS } },
    annotations: { title, ...annotations, openWorldHint: false },
  };
}

/**
 * Calls a tool. What it refuses is a result, so that the agent reads it.
 *
 * @param {import('./work.js').Host} host
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 */
export function call(host, tool, given) {
  const work = new Work(host);
  /** @type {{project?: {root: string, branch: string | null}}} */
  const about = {};
  try {
    const usage = (/** @type {string} */ message) => work.refusal({ code: 'usage', message });
    const taken = checked(tool.input, given, usage);
    if (tool.isOnFiles && work.isStored) throw usage(`\`${tool.name}\` ${ON_FILES}`);
    if (!tool.isAlone) about.project = work.project();
    // A model reads either of the two, so that both are without what hides in stored text.
    const structuredContent = shown({ ...tool.run(work, taken), ...about, ...warningsOf(work) });
    return { content: [text(structuredContent)], structuredContent };
  } catch (thrown) {
    return refused(thrown, host.withoutSecrets, { ...about, ...warningsOf(work) });
  }
}

/**
 * The result of a call that did not do what it was asked for.
 *
 * @param {unknown} thrown
 * @param {import('../../base/messages.js').SecretFilter['withoutSecrets']} withoutSecrets
 * @param {object} [more] members
 */
export function refused(thrown, withoutSecrets, more) {
  // A client would hold structured content to the schema of the answer.
  return { content: [text(shown({ error: errorOf(thrown, withoutSecrets), ...more }))], isError: true };
}

/** @param {Work} work */
function warningsOf({ warnings }) {
  return warnings.length === 0 ? {} : { warnings };
}

/** @param {unknown} value */
function text(value) {
  return { type: /** @type {const} */ ('text'), text: JSON.stringify(value) };
}

/**
 * Returns what was thrown as an error for callers: an error that no operation refused is the host's.
 *
 * @param {unknown} thrown
 * @param {import('../../base/messages.js').SecretFilter['withoutSecrets']} withoutSecrets
 */
function errorOf(thrown, withoutSecrets) {
  if (thrown instanceof Refusal) return thrown.error;
  return { code: 'io', message: withoutSecrets(sentence(thrown)), written: 'unknown' };
}
