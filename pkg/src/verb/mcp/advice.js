// The advice after a failure, as a tool or a command that the agent can call.

import { optionsOf, word } from '../../base/shell.js';

/** @typedef {{kind: string, command?: string, feature?: string | null}} Advice */

/**
 * The location that the server works on, and the words that start the program.
 *
 * @typedef {{root?: string | null, dir?: string | null, store?: string, project?: string, program: string}} Start
 */

/** Advice after a failure of this kind, regardless of its object. */
const OF_CODE = {
  summary_too_long: () => 'Shorten it; `milepost_tokens` counts its words.',
  corrupt: (/** @type {Start} */ place) =>
    `The file is unchanged. \`${command('doctor', {}, place)}\` says how to fix it.`,
  // After a part of a restore, the sentence says what was.
  conflict: (/** @type {Start} */ _, /** @type {{written?: string}} */ { written }) =>
    written === 'yes' ? '' : 'Nothing was written.',
  busy: (/** @type {Start} */ _, /** @type {{written?: string}} */ { written }) =>
    written === 'no' ? 'Nothing was written. Try again.' : 'Part of it may be written. Try again.',
};

/**
 * Returns the advice, in sentences; empty without any.
 *
 * @param {{code?: string, written?: string, advice?: Advice}} failure
 * @param {Start} place
 */
export function help({ code, written, advice }, place) {
  const sentences = [];
  const known = Object.entries(OF_CODE).find(([name]) => name === code);
  if (known !== undefined) sentences.push(known[1](place, { written }));
  if (advice !== undefined) sentences.push(words(advice, place));
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/**
 * @param {Advice} advice
 * @param {Start} place
 */
function words(advice, place) {
  const recover = `\`${command('recover', advice, place)}\``;
  switch (advice.kind) {
    case 'recover':
      return `${recover} brings it back.`;
    case 'undo':
      return '`milepost_undo` goes back to it.';
    case 'restore':
      return `\`milepost_undo\` goes back to the revision before it, ${recover} to the last good one.`;
    case 'log':
      return '`milepost_log` lists the revisions that are kept.';
    case 'show':
      return 'Read it with `milepost_show`, and apply your change to that.';
    case 'complete':
      return 'Complete or skip them with `milepost_phase`, or complete the run with `force`, which marks them as skipped.';
    case 'name_root':
      return 'Register the server with `--root DIR` behind `mcp`.';
    case 'name_project':
      return 'Start the server in the repository, or register it with `--root DIR` behind `mcp`.';
    case 'check_root':
      return 'It was named by `--root`, where the server is registered: check its spelling.';
    case 'check_git_root':
      return 'It was named by the environment variable GIT_ROOT: unset it, or name the root by `--root`.';
    case 'name_dir':
      return 'Put a folder in its place, or name the one that it leads to with `--dir DIR`.';
    case 'allow_loss':
      return 'Name it in `lose` if it may be lost: ask the user first.';
    case 'force_restore':
      return `Ask the user to run \`${command('snapshot restore', {}, place)}\` with the id, --files and --force.`;
    case 'remove_cause':
      return 'Remove the cause, and restore again.';
    default:
      return `\`${command('doctor', {}, place)}\` says how to fix it.`;
  }
}

/**
 * A command of this program, on the place that the server was started for.
 *
 * @param {string} verb
 * @param {{command?: string, feature?: string | null}} target
 * @param {Start} place
 */
export function command(verb, target, { root, dir, store, project, program }) {
  const which = target.command ? [word(target.command)] : [];
  // An empty one is said: left out, the run of the branch would be meant.
  if (typeof target.feature === 'string') which.push('--feature', word(target.feature));
  return [program, verb, ...which].join(' ') + optionsOf({ root, dir, store, project });
}
