// Bringing an object that was saved up to what was stored.
//
// The revision in an object says that every change up to it is in there: the next save takes what
// is missing for a removal. So an object that could not take over another writer's changes keeps
// its older revision, and the next save merges once more.

import { json } from './arguments.js';

/** @typedef {Record<string, unknown>} Plain */

/**
 * Saves a whole checkpoint, and brings the passed object up to what is stored: a script that keeps
 * it and saves it again neither conflicts with itself nor reverts another writer's change.
 *
 * @param {import('../../types/index.js').Store} store
 * @param {string} command
 * @param {object} checkpoint
 * @param {string | null} feature
 */
export function saveAndBringUpToDate(store, command, checkpoint, feature) {
  const sent = json('checkpoint', checkpoint);
  const { text, merged } = store.saveText(command, sent, feature);
  bringUpToDate(checkpoint, JSON.parse(sent), JSON.parse(text), merged);
}

/**
 * Makes in `object` the changes that the store made: all differences between the document that
 * was sent and the stored one. All else is left alone, so that a Date stays a Date and the parts
 * that a script holds stay parts of the object. Only a part that is frozen, or that is met in
 * several places, is replaced by a copy where it has to change.
 *
 * @param {object} object
 * @param {Plain} sent what `object` was as JSON
 * @param {Plain} stored
 * @param {boolean} merged whether another writer's changes are in `stored`
 */
function bringUpToDate(object, sent, stored, merged) {
  const { revision, seal } = stored;
  const before = withoutStamp(sent);
  const after = withoutStamp(stored);
  attempt(() => change(object, before, after, sharedParts(object, before)));
  attempt(() => {
    if (merged && !equal(withoutStamp(JSON.parse(JSON.stringify(object))), after)) return;
    put(object, 'revision', revision);
    put(object, 'seal', seal);
  });
}

/** @param {() => void} step */
function attempt(step) {
  try {
    step();
  } catch {
    // A setter or a proxy threw. The document is stored all the same.
  }
}

/**
 * @param {Plain} document
 * @returns {Plain}
 */
function withoutStamp({ revision, seal, ...document }) {
  return document;
}

/**
 * The parts that are met more than once, and their parts. It follows the JSON, which is a tree:
 * what JSON does not carry may go round in circles.
 *
 * @param {object} object
 * @param {object} sent
 */
function sharedParts(object, sent) {
  const met = new Set();
  const shared = new Set();
  /** @type {(part: object, json: object) => void} */
  const walk = (part, json) => {
    if (met.has(part)) shared.add(part);
    met.add(part);
    for (const [key, value] of Object.entries(json)) {
      const child = own(part, key);
      if (isObject(child) && isObject(value)) walk(child, value);
    }
  };
  walk(object, sent);
  return shared;
}

/**
 * @param {object} part
 * @param {object} sent
 * @param {object} stored
 * @param {Set<unknown>} shared
 */
function change(part, sent, stored, shared) {
  for (const key of Object.keys(sent)) {
    if (!Object.hasOwn(stored, key)) Reflect.deleteProperty(part, key);
  }
  for (const [key, value] of Object.entries(stored)) {
    const before = own(sent, key);
    if (equal(value, before)) continue;
    const present = own(part, key);
    if (isPlain(value) && isPlain(before) && isPlain(present)) {
      const target = isFixed(present, shared) ? { ...present } : present;
      change(target, before, value, shared);
      if (target !== present) put(part, key, target);
    } else if (Array.isArray(value) && Array.isArray(before) && Array.isArray(present)) {
      const target = isFixed(present, shared) ? [...present] : present;
      changeList(target, before, value);
      if (target !== present) put(part, key, target);
    } else {
      put(part, key, value);
    }
  }
}

/**
 * @param {object} part
 * @param {Set<unknown>} shared
 */
function isFixed(part, shared) {
  return shared.has(part) || Object.isFrozen(part);
}

/**
 * Elements have no names, so each is the stored one unless it was there before.
 *
 * @param {unknown[]} list
 * @param {unknown[]} sent
 * @param {unknown[]} stored
 */
function changeList(list, sent, stored) {
  const known = new Map(sent.map((item, at) => [JSON.stringify(item), list[at]]));
  const next = stored.map((item) => {
    const text = JSON.stringify(item);
    const present = known.has(text) ? known.get(text) : item;
    known.delete(text);
    return present;
  });
  list.length = next.length;
  next.forEach((item, at) => Reflect.set(list, at, item));
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
 * @param {object} object
 * @param {string} key
 * @returns {unknown}
 */
function own(object, key) {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}

/**
 * Returns whether two JSON values are the same; the order of keys does not count.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
function equal(left, right) {
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(own(left, key), own(right, key)))
  );
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * @param {unknown} value
 * @returns {value is Plain}
 */
function isPlain(value) {
  return isObject(value) && !Array.isArray(value);
}
