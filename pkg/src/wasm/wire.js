// Requests to the core and its replies, as JSON text. No other module knows their form.

/** @typedef {{ok: boolean, value: any, error: any, warnings: any[]}} Reply */

/**
 * The text of a request.
 *
 * @param {string} operation
 * @param {object | null} place where it works; `null` for one that asks for nothing but its arguments
 * @param {string} [members] its arguments, as of {@link membersOf}
 * @param {string} [text] the argument `text`: behind the request it is read as it is, between quotes much of it would
 *   be escaped
 * @returns {string}
 */
export function requestOf(operation, place, members = '', text) {
  const where = place === null ? '' : `,"place":${JSON.stringify(place)}`;
  const request = `{"operation":"${operation}"${where}${members}}`;
  return text === undefined ? request : `\0${request}\0${text}`;
}

/**
 * Arguments as members of a request, with a comma before each.
 *
 * @param {object} given
 * @returns {string} JSON text
 */
export function membersOf(given) {
  const text = JSON.stringify(given).slice(1, -1);
  return text === '' ? '' : `,${text}`;
}

/**
 * A request with more arguments, where it is one for this operation.
 *
 * @param {string} request
 * @param {string} operation
 * @param {(asked: any) => object} more
 * @returns {string}
 */
export function withMembers(request, operation, more) {
  const asked = JSON.parse(request);
  return asked.operation === operation ? JSON.stringify({ ...asked, ...more(asked) }) : request;
}

/**
 * @param {string} text
 * @returns {Reply}
 */
export function replyOf(text) {
  return JSON.parse(text);
}

/**
 * Returns the value of a reply.
 *
 * @param {string} text of the reply
 * @param {(error: any) => unknown} fail makes what is thrown of the reply's error
 * @param {(warning: any) => void} [warn]
 * @returns {any} as the operation defines it
 */
export function valueOf(text, fail, warn = () => {}) {
  const { ok, value, error, warnings } = replyOf(text);
  for (const warning of warnings) warn(warning);
  if (ok) return value;
  throw fail(error);
}

/**
 * The reply of an operation that did not begin.
 *
 * @param {{code: string, message: string}} error
 * @returns {string}
 */
export function failed(error) {
  return JSON.stringify({ ok: false, error: { ...error, written: 'no' }, warnings: [] });
}
