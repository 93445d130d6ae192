// The kinds of values that come from outside. A test runner gives every test a realm of its own, with an `Error`, a
// `Map` and a `Uint8Array` of its own, so that `instanceof` says no of a value that is one in another realm. These go by
// what a value is in any realm. An error is known by its `code` or its `name`.

/**
 * @param {object} value
 * @returns {string} such as `Date`
 */
export function tagOf(value) {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/**
 * @param {unknown} value
 * @returns {value is Error}
 */
export function isError(value) {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Error || ['Error', 'DOMException'].includes(tagOf(value));
}

/**
 * Returns the sentence of an error, or all of anything else that was thrown.
 *
 * @param {any} thrown
 * @returns {string}
 */
export function messageOf(thrown) {
  return String(thrown?.message ?? thrown);
}

/**
 * Returns whether an error is one of this package, of any copy of it.
 *
 * @param {any} error
 * @returns {error is import('./error.js').MilepostError}
 */
export function isMilepostError(error) {
  return error?.name === 'MilepostError';
}

/**
 * Returns the bytes, also where they are a `Buffer`; null for anything else.
 *
 * @param {unknown} value
 * @returns {Uint8Array | null}
 */
export function bytesOf(value) {
  const isThat = ArrayBuffer.isView(value) && tagOf(value) === 'Uint8Array';
  return isThat ? /** @type {Uint8Array} */ (value) : null;
}

/**
 * @param {unknown} value
 * @returns {value is Map<unknown, unknown>}
 */
export function isMap(value) {
  return accepts(Map.prototype.has, value);
}

/**
 * @param {unknown} value
 * @returns {value is Set<unknown>}
 */
export function isSet(value) {
  return accepts(Set.prototype.has, value);
}

/**
 * Returns whether a method takes an object for its own: it throws for one of another kind.
 *
 * @param {(key: any) => unknown} method
 * @param {any} object
 */
function accepts(method, object) {
  try {
    method.call(object, undefined);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether an object is one without a class; `Object.prototype` is another one in each realm.
 *
 * @param {object} value
 */
export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns whether an object has members of its own whose names are symbols, which no JSON has.
 *
 * @param {object} value
 */
export function hasSymbolNames(value) {
  const names = Object.getOwnPropertySymbols(value);
  return names.length > 0 && names.some((name) => Object.prototype.propertyIsEnumerable.call(value, name));
}
