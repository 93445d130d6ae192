// A command line, asked what the scenarios of `tests/scenarios/hand` ask.

import * as node from './host.mjs';

/** The words of each operation, and what is given on standard input. */
const WORDS = {
  load: ({ revision }) => ['show', ...numbered('revision', revision)],
  save: ({ document, text = JSON.stringify(document) }) => ['save', '-', text],
  update_phase: ({ phase, patch, patch_text }) => {
    const { status, context_summary, error, ...others } = patch ?? JSON.parse(patch_text);
    if (Object.keys(others).length > 0 || phase.startsWith('-')) return undefined;
    const words = ['phase', phase, ...(status === undefined ? [] : [status])];
    if (error !== undefined) words.push(`--error=${error}`);
    // A word of a program may not be as long as some summaries.
    return context_summary === undefined ? words : [...words, '--summary', '-', context_summary];
  },
  begin: ({ phases, task }) =>
    phases.length > 0 ? ['begin', ...phases, ...(task === undefined ? [] : ['--task', task])] : undefined,
  complete: ({ force, keep_open }) => (keep_open ? undefined : ['complete', ...(force ? ['--force'] : [])]),
  resume_point: () => ['resume'],
  gate: () => ['gate'],
  log: () => ['log'],
  // With `--json` it is the patch alone.
  diff: ({ from, to, value }) =>
    value === undefined ? ['diff', ...[from, to].filter((it) => it !== undefined).map(String)] : undefined,
  undo: ({ to, revision }) =>
    revision === undefined ? ['undo', ...numbered('to', to)] : undefined,
  redo: ({ revision }) => (revision === undefined ? ['redo'] : undefined),
  recover: ({ to }) => ['recover', ...numbered('to', to)],
  prune: ({ revisions, days }) => ['prune', ...numbered('keep', revisions), ...numbered('days', days)],
};

function numbered(name, number) {
  return number === undefined ? [] : [`--${name}=${number}`];
}

const WITHOUT_COMMAND = { list: ['status'], latest: ['resume'] };

/** Answers that are not one to these are a null to the package. */
const NOTHING = {
  load: null,
  resume_point: { phase: null, summary: null },
  latest: null,
};

/**
 * A host of scenarios that is a command line, with `asked`, the number of operations that were asked here and of the
 * package on Node.
 *
 * @param {(root: string, words: string[], input?: string) => {status: number | null, stdout: string, stderr: string}} run
 *   one call of it, in the project
 */
export function commandLine(run) {
  const asked = { here: 0, node: 0 };

  /** One operation; what no words can say is asked of the package on Node, on the same files. */
  function ask(root, operation, fields) {
    const { words, input } = wordsOf(operation, fields) ?? {};
    if (words === undefined) {
      asked.node++;
      return node.ask(root, operation, fields);
    }
    asked.here++;
    const { status, stdout, stderr } = run(root, ['--json', ...words], input);
    const said = stderr.split('\n').filter(Boolean).map((text) => JSON.parse(text));
    const warnings = said.flatMap(({ warning }) => warning ?? []);
    const error = said.find(({ error }) => error !== undefined)?.error;
    if (error?.code === 'not_found' && operation in NOTHING) {
      return { value: NOTHING[operation], warnings };
    }
    if (error !== undefined) return { error, warnings };
    // A closed gate is an answer.
    if (status !== 0 && operation !== 'gate') throw new Error(`${words} ended with ${status}: ${stderr}`);
    if (operation === 'load') return { value: { text: stdout, revision: JSON.parse(stdout).revision }, warnings };
    return { value: JSON.parse(stdout), warnings };
  }

  return { asked, ask, line: run };
}

function wordsOf(operation, fields) {
  if (operation in WITHOUT_COMMAND) return { words: WITHOUT_COMMAND[operation] };
  const [verb, ...rest] = WORDS[operation]?.(fields) ?? [];
  if (verb === undefined) return undefined;
  const input = rest.includes('-') ? rest.pop() : undefined;
  const { command, feature } = fields;
  const words = [verb, command, ...rest];
  if (feature !== undefined) words.push(`--feature=${feature}`);
  // No program can be given these.
  const sayable = words.every((word) => word.isWellFormed() && !word.includes('\0'));
  return sayable ? { words, input } : undefined;
}
