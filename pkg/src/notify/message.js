// What people read of a notice.

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
      return `${of} is complete${progress}`;
  }
}

/**
 * What follows the line: why it failed, what closes the gate, and the summary.
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
 * Where it happened, in a line.
 *
 * @param {Notice} notice
 */
export function place({ data }) {
  const commit = data.head_commit === null ? '' : ` at ${data.head_commit.slice(0, 7)}`;
  return `${data.project}${commit}`;
}
