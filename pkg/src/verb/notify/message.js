// The text of a notice for people.

/**
 * @typedef {object} Notice
 * @property {string} id
 * @property {string} type
 * @property {string} timestamp
 * @property {Record<string, any>} data
 */

/**
 * One line: `implement/dark-mode: phase printer is complete (3 of 5)`. Names are shown as `name` makes them.
 *
 * @param {Notice} notice
 * @param {(name: string) => string} [name]
 */
export function title({ type, data }, name = (text) => text) {
  const of = name([data.command, ...(data.feature === null ? [] : [data.feature])].join('/'));
  const progress = data.phases === 0 ? '' : ` (${data.phases_over} of ${data.phases})`;
  switch (type) {
    case 'checkpoint.phase_completed':
      return `${of}: phase ${name(data.phase)} is complete${progress}`;
    case 'checkpoint.phase_failed':
      return `${of}: phase ${name(data.phase)} has failed`;
    case 'checkpoint.gate_closed':
      return `${of}: the gate is closed`;
    default:
      return completed(of, data, name);
  }
}

/**
 * One line of a command that was completed: `design is complete (3 of 3; skipped: docs)`. Where phases were left, it
 * does not say that it is: `design was completed with phases left (1 of 3; failed: build; not done: docs)`.
 *
 * @param {string} of which
 * @param {Notice['data']} data
 * @param {(name: string) => string} name
 */
function completed(of, { phases, phases_over, skipped = [], failed = [], unfinished = [] }, name) {
  const isDone = failed.length === 0 && unfinished.length === 0;
  const list = (/** @type {string} */ word, /** @type {string[]} */ names) =>
    names.length === 0 ? [] : [`${word}: ${names.map((one) => name(one)).join(', ')}`];
  const lists = [...list('failed', failed), ...list('not done', unfinished), ...list('skipped', skipped)];
  const counted = phases === 0 ? [] : [`${phases_over} of ${phases}`];
  const said = [...counted, ...lists].join('; ');
  return `${of} ${isDone ? 'is complete' : 'was completed with phases left'}${said === '' ? '' : ` (${said})`}`;
}

/**
 * Returns the text after the line: why it failed, what closes the gate, and the summary.
 *
 * @param {Notice} notice
 * @returns {string} empty where there is nothing
 */
export function details({ data }) {
  const blockers = data.blockers.map((/** @type {string} */ blocker) => `- ${blocker}`);
  const parts = [data.error, blockers.join('\n'), data.summary];
  return parts.filter((part) => part).join('\n\n');
}

/**
 * The place where it happened, in a line.
 *
 * @param {Notice} notice
 */
export function place({ data }) {
  const commit = data.head_commit === null ? '' : ` at ${data.head_commit.slice(0, 7)}`;
  return `${data.project}${commit}`;
}
