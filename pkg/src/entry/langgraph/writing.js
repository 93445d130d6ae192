// A value on its way to the text of a serializer, and the refusal of one that would be replaced on that way.

import { MilepostError } from 'milepost:threads';
import { toBase64 } from '../../base/base64.js';
import { bytesOf, hasSymbolNames, isError, isMap, isMilepostError, isPlain, isSet, tagOf } from '../../base/brand.js';
import { sentence } from '../../base/messages.js';
import { pointer } from '../../base/pointer.js';

/** The greatest depth of a value: the stack of a host is only so high. */
const MOST_DEPTH = 1_000;

/** Tags of objects whose content is elsewhere than in fields; the same in every realm. */
const NO_FIELDS = new Set([
  ...['WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'ArrayBuffer', 'SharedArrayBuffer'],
  ...['Boolean', 'Number', 'String', 'Symbol', 'BigInt'],
]);

/** It would be dropped. */
const NAMED_BY_SYMBOL = 'a member with a symbol as its name';

/** A member that is there and has no value, as LangGraph writes it. */
export const UNDEFINED = { lc: 2, type: 'undefined' };

/** @typedef {Record<string, any>} Fields */

/**
 * One value on its way to text. What JSON carries is left as it is, and copied only around something that it does not.
 */
export class Writing {
  #isAllowed;
  /** @type {object[]} the objects that a part is in */
  #around = [];
  /** @type {(string | number)[]} */
  #path = [];

  /** @param {(id: unknown[]) => boolean} isAllowed */
  constructor(isAllowed) {
    this.#isAllowed = isAllowed;
  }

  /**
   * @param {unknown} value
   * @returns {string} JSON text that holds all of it
   * @throws {MilepostError} `invalid_document`
   */
  text(value) {
    try {
      return JSON.stringify(this.part(value));
    } catch (/** @type {any} */ cause) {
      // A text that would be too long is no matter of a part.
      if (isMilepostError(cause) || cause?.name === 'RangeError') throw cause;
      // A member that is a function of its own, a `toJSON` or a proxy may throw anything.
      throw uncarried(`an object that cannot be read: ${sentence(cause)}`, pointer(this.#path));
    }
  }

  /**
   * @param {unknown} value
   * @returns {any} what JSON carries
   * @throws {MilepostError} `invalid_document`
   */
  part(value) {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : this.#refuse(String(value));
      case 'undefined':
        return UNDEFINED;
      case 'object':
        return value === null ? null : this.#within(value);
      default:
        return this.#refuse(`a ${typeof value}`);
    }
  }

  /** @param {object} value */
  #within(value) {
    const around = this.#around;
    if (around.includes(value)) this.#refuse('an object that it is in');
    if (around.length >= MOST_DEPTH) this.#refuse(`more than ${MOST_DEPTH} levels`);
    around.push(value);
    const written = this.#object(value);
    around.pop();
    return written;
  }

  /**
   * @param {any} value
   * @returns {any}
   */
  #object(value) {
    if (Array.isArray(value)) return this.#list(value);
    const bytes = bytesOf(value);
    if (bytes !== null) return record('Uint8Array', [toBase64(bytes), 'base64'], 'from');
    if (typeof value.toJSON === 'function') return this.#asJson(value);
    if (isPlain(value)) return this.#fields(value);
    if (isMap(value)) return record('Map', [this.part(Array.from(Map.prototype.entries.call(value)))]);
    if (isSet(value)) return record('Set', [this.part(Array.from(Set.prototype.values.call(value)))]);
    if (isError(value)) return record('Error', [this.part(value.message)]);
    const tag = tagOf(value);
    if (tag === 'RegExp') return record('RegExp', [value.source, value.flags]);
    if (value.lg_name === 'DeltaSnapshot') {
      return { lc: 2, type: 'delta_snapshot', value: this.#member('value', value.value) };
    }
    // Such as a generator or a `Blob`: all that it has is elsewhere.
    const isEmpty = tag !== 'Object' && Object.keys(value).length === 0;
    if (isEmpty || ArrayBuffer.isView(value) || NO_FIELDS.has(tag)) return this.#refuse(`an object of the kind ${tag}`);
    return this.#fields(value);
  }

  /** @param {unknown[]} list */
  #list(list) {
    if (hasSymbolNames(list)) this.#refuse(NAMED_BY_SYMBOL);
    let written = list;
    for (let at = 0; at < list.length; at += 1) {
      const part = this.#member(at, list[at]);
      if (part === list[at]) continue;
      if (written === list) written = list.slice();
      written[at] = part;
    }
    return written;
  }

  /**
   * @param {Fields} fields
   * @returns {Fields}
   */
  #fields(fields) {
    // A packet for a node is kept without its name, as LangGraph does it.
    if (fields.lg_name === 'Send') {
      const { node, args, timeout } = fields;
      return this.#fields({ node, args, ...(timeout !== undefined && { timeout }) });
    }
    if (hasSymbolNames(fields)) this.#refuse(NAMED_BY_SYMBOL);
    let written = fields;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      const part = this.#member(key, value);
      if (part === value) continue;
      if (written === fields) written = { ...fields };
      setField(written, key, part);
    }
    return written;
  }

  /**
   * @param {string | number} key
   * @param {unknown} value
   */
  #member(key, value) {
    this.#path.push(key);
    const part = this.part(value);
    this.#path.pop();
    return part;
  }

  /**
   * An object that says by itself what JSON has of it: a date, and any object of LangChain.
   *
   * @param {any} value
   */
  #asJson(value) {
    const isLangChain = 'lc_serializable' in value;
    if (isLangChain) this.#expectCarriedBy(value);
    const json = value.toJSON(String(this.#path.at(-1) ?? ''));
    if (json === null || json === undefined) this.#refuse(`an object of the kind ${tagOf(value)} that is nothing in JSON`);
    if (isLangChain && json.lc === 1) {
      const id = Array.isArray(json.id) ? json.id : [];
      const name = id.join('/');
      if (json.type !== 'constructor') this.#refuse(`an object of the class ${name}, which LangChain does not serialize`);
      if (!this.#isAllowed(id)) this.#refuse(`an object of the class ${name}, which \`allow\` does not name`);
    }
    return json === value ? this.#fields(value) : this.part(json);
  }

  /**
   * LangChain's own `toJSON` makes plain objects of all that is in a message: of a Map or a date an empty one.
   *
   * @param {{lc_kwargs?: Fields} & Fields} object
   */
  #expectCarriedBy(object) {
    const { lc_kwargs: kwargs = {} } = object;
    for (const key of Object.keys(kwargs)) this.#expectPlain(key, key in object ? object[key] : kwargs[key], [object]);
  }

  /**
   * @param {string} key
   * @param {any} value
   * @param {object[]} around
   */
  #expectPlain(key, value, around) {
    if (typeof value !== 'object' || value === null || 'lc_serializable' in value) return;
    this.#path.push(key);
    if (around.includes(value)) this.#refuse('an object that it is in');
    const isFields = tagOf(value) === 'Object' && typeof value.toJSON !== 'function';
    if (!Array.isArray(value) && !isFields) {
      this.#refuse(`an object of the kind ${tagOf(value)}, which LangChain would replace by a plain one`);
    }
    if (hasSymbolNames(value)) this.#refuse(NAMED_BY_SYMBOL);
    for (const [name, part] of Object.entries(value)) this.#expectPlain(name, part, [...around, value]);
    this.#path.pop();
  }

  /**
   * @param {string} found
   * @returns {never}
   */
  #refuse(found) {
    throw uncarried(found, pointer(this.#path));
  }
}

/**
 * The failure of a serializer at a value.
 *
 * @param {string} found
 * @param {string} [at] the place in the value, as a JSON pointer
 */
export function uncarried(found, at = '') {
  const message = `expected what the serializer can carry, found ${found}`;
  const said = `Value is invalid: ${at === '' ? '' : `${at}: `}${message}`;
  return new MilepostError('invalid_document', said, { problems: [{ at, code: 'type', message }] });
}

/**
 * @param {string} name of the class
 * @param {unknown[]} args
 * @param {string | null} [method]
 */
function record(name, args, method = null) {
  return { lc: 2, type: 'constructor', id: [name], method, args, kwargs: {} };
}

/**
 * Assigning `__proto__` would change the prototype instead.
 *
 * @param {Fields} holder
 * @param {string} key
 * @param {unknown} value
 */
export function setField(holder, key, value) {
  if (key !== '__proto__') holder[key] = value;
  else Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}
