// Bringing an object that was saved up to what was stored.

/** @typedef {Record<string, unknown>} Plain */

/**
 * Makes in `object` the changes that the store made: whatever differs between the document as it
 * was sent and as it is stored. All else is left alone, so that a Date stays a Date. What cannot
 * be changed, such as a frozen object, stays as it is.
 *
 * @param {object} object
 * @param {Plain} sent what `object` was as JSON
 * @param {Plain} stored
 */
export function bringUpToDate(object, sent, stored) {
  try {
    change(object, sent, stored);
  } catch {
    // A setter or a proxy threw. The document is stored all the same.
  }
}

/**
 * @param {object} object
 * @param {Plain} sent
 * @param {Plain} stored
 */
function change(object, sent, stored) {
  for (const key of Object.keys(sent)) {
    if (!Object.hasOwn(stored, key)) Reflect.deleteProperty(object, key);
  }
  for (const [key, value] of Object.entries(stored)) {
    const before = Object.hasOwn(sent, key) ? sent[key] : undefined;
    const present = Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
    if (isPlain(value) && isPlain(before) && isPlain(present)) {
      change(present, before, value);
    } else if (JSON.stringify(value) !== JSON.stringify(before)) {
      put(object, key, value);
    }
  }
}

/**
 * @param {object} object
 * @param {string} key
 * @param {unknown} value
 */
function put(object, key, value) {
  if (Object.hasOwn(object, key)) {
    Reflect.set(object, key, value);
  } else {
    // Assigning `__proto__` would change the prototype instead.
    const attributes = { configurable: true, enumerable: true, writable: true };
    Reflect.defineProperty(object, key, { ...attributes, value });
  }
}

/**
 * @param {unknown} value
 * @returns {value is Plain}
 */
function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
