// Failures and warnings of a reply, in words of this package.

import { MilepostError } from '../base/error.js';
import { describe } from '../base/quote.js';
import { visibleLines } from '../base/visible.js';

/** @typedef {import('../../types/index.js').Advice} Advice */

/**
 * The folder that was named, and the option that named it, where that is another one than `dir` of `openStore`.
 *
 * @typedef {{option: string, dir: string}} Named
 */

/**
 * The failure that a reply has.
 *
 * @param {any} error as replies have it
 * @param {Named} [named]
 */
export function fromReply({ code, message, last_good: lastGood, advice, ...more }, named) {
  const help = advice === undefined ? '' : `; ${words(advice, named)}`;
  return new MilepostError(code, visibleLines(message + help), { ...more, lastGood, advice });
}

/**
 * The warning that a reply has.
 *
 * @param {any} warning as replies have it
 * @param {Named} [named]
 * @returns {import('../../types/index.js').Warning}
 */
export function fromWarning(warning, named) {
  const { advice, message } = warning;
  if (advice === undefined) return warning;
  return { ...warning, message: visibleLines(`${message}; ${words(advice, named)}`) };
}

/**
 * Returns the advice as a call of this package.
 *
 * @param {Advice} advice
 * @param {Named} [named]
 */
function words(advice, named) {
  switch (advice.kind) {
    case 'recover':
      return `\`${call('recover', advice)}\` brings it back`;
    case 'undo':
      return `\`${call('undo', advice)}\` goes back to it`;
    case 'restore':
      return (
        `\`${call('undo', advice)}\` goes back to the revision before it, ` +
        `\`${call('recover', advice)}\` to the last good one`
      );
    case 'log':
      return `\`${call('log', advice)}\` lists the revisions that are kept`;
    case 'check_root':
      return 'it was named by the option `root`: check its spelling';
    case 'check_git_root':
      return 'it was named by the environment variable GIT_ROOT: unset it, or name `root`';
    case 'show':
      return `apply the change to what \`${call('load', advice)}\` reads now`;
    case 'complete':
      return 'complete or skip them, or complete it with the option `force`, which marks them as skipped';
    case 'name_root':
      return '`openStore({ root })` names it';
    case 'name_dir':
      return (
        'put a folder in its place, or name the one that it leads to with ' +
        `\`${named?.option ?? 'openStore({ dir })'}\``
      );
    case 'allow_loss':
      return 'the option `lose` allows that for this file, and `force` for every one';
    case 'force_restore':
      return 'or use the option `force`, which writes only the files that the snapshot holds';
    case 'remove_cause':
      return 'remove the cause, and restore again';
    case 'delete_task':
      return lost('deleteAll', advice.task ?? undefined) + shownBy(named);
    case 'delete_thread':
      return lost('deleteThread', advice.thread ?? undefined);
    case 'recover_thread':
      return recoverable(advice.thread ?? undefined);
    default:
      return '`openStore().doctor()` says how to fix it';
  }
}

/**
 * @param {string} method that removes what is left
 * @param {string} [id]
 */
function lost(method, id) {
  const whose = id === undefined ? ' with its id' : '';
  return `put it back from a backup, or remove what is left with \`${method}(${JSON.stringify(id) ?? ''})\`${whose}`;
}

/** @param {string} [thread] */
function recoverable(thread) {
  const whose = thread === undefined ? ' with its id' : '';
  return `\`recoverThread(${JSON.stringify(thread) ?? ''})\`${whose} brings back what can be read`;
}

/** @param {Named} [named] the folder, where there is one */
function shownBy(named) {
  if (named === undefined) return '';
  return `; \`milepost doctor --dir ${JSON.stringify(named.dir)}\` shows what cannot be read`;
}

/**
 * @param {string} method
 * @param {{command: string, feature: string | null}} target
 */
function call(method, { command, feature }) {
  const target = [command, ...(feature === null ? [] : [feature])];
  return `openStore().${method}(${target.map((name) => JSON.stringify(name)).join(', ')})`;
}

/**
 * The check of an argument: what the caller passed, against what was expected.
 *
 * @param {string} name of the argument
 * @param {string} expected such as `a string`
 * @param {unknown} value
 */
export function unexpected(name, expected, value) {
  return new MilepostError('usage', `Expected \`${name}\` to be ${expected}, got ${describe(value)}`);
}
