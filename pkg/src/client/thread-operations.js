// Operations on threads, in any place.

/**
 * Returns the runner of operations at a place, which may answer later.
 *
 * @param {Pick<import('./state-location.js').StateLocation, 'run'>} place
 * @returns {import('../../types/threads.js').Ask}
 */
export function askAt(place) {
  // Behind the request a text is read as it is; between quotes much of it would be escaped.
  return (operation, { text, ...fields }) =>
    place.run(operation, `,${JSON.stringify(fields).slice(1, -1)}`, text);
}
