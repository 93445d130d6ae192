// Operations on threads, in any place.

import { membersOf } from '../wasm/wire.js';

/**
 * Returns the runner of operations at a place, which may answer later.
 *
 * @param {Pick<import('./workspace.js').Workspace, 'run'>} place
 * @returns {import('../../types/threads.js').Ask}
 */
export function askAt(place) {
  return (operation, { text, ...fields }) => place.run(operation, membersOf(fields), text);
}
