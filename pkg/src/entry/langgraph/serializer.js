// The serializer of `milepost/langgraph`: texts as LangGraph's own serializer writes them, with three differences. Bytes
// within a value are Base64 instead of a list of numbers. A value that would be replaced by another one is refused. A
// class is revived only where it is one of LangGraph's, or `allow` names it.

import * as langgraph from '@langchain/langgraph-checkpoint';
import { load } from '@langchain/core/load';
import { MilepostError } from 'milepost:threads';
import { bytesFromBase64 } from '../../base/base64.js';
import { bytesOf } from '../../base/brand.js';
import { quote } from '../../base/quote.js';
import { UNDEFINED, Writing, setField } from './writing.js';

/** The messages of LangChain, which LangGraph itself keeps in states, with the chunks of those that are streamed. */
const STREAMED = ['AIMessage', 'HumanMessage', 'SystemMessage', 'ToolMessage', 'FunctionMessage', 'ChatMessage'];
const MESSAGES = new Set([...STREAMED, ...STREAMED.map((name) => `${name}Chunk`), 'RemoveMessage']);

/** The name that LangChain gives to an object whose member `lc` means nothing. */
const ESCAPED = '__lc_escaped__';

/** @typedef {import('./writing.js').Fields} Fields */

/** @typedef {import('@langchain/langgraph-checkpoint').SerializerProtocol} SerializerProtocol */

/** @implements {SerializerProtocol} */
export class ThreadSerializer {
  /** @type {Set<string>} */
  #allowed;

  /** @param {string[]} [allow] classes, as their ids in texts joined by `/` */
  constructor(allow = []) {
    this.#allowed = new Set(allow);
  }

  /**
   * @param {any} value
   * @returns {Promise<[string, Uint8Array]>}
   * @throws {MilepostError} `invalid_document`, with the place of the first part that it cannot carry
   */
  async dumpsTyped(value) {
    const bytes = bytesOf(value);
    if (bytes !== null) return ['bytes', bytes];
    return ['json', encoder.encode(this.text(value))];
  }

  /**
   * @param {string} kind
   * @param {Uint8Array | string} data
   * @returns {Promise<any>}
   */
  async loadsTyped(kind, data) {
    switch (kind) {
      case 'bytes':
        return typeof data === 'string' ? encoder.encode(data) : data;
      case 'json':
        return this.#revived(typeof data === 'string' ? data : decoder.decode(data));
      default:
        throw new MilepostError(
          'usage',
          `Expected values of this serializer, got one of the kind ${quote(kind)}: another one made it`,
        );
    }
  }

  /**
   * The text of a value that holds all of it.
   *
   * @param {unknown} value
   */
  text(value) {
    return new Writing((id) => this.#isAllowed(id)).text(value);
  }

  /** @param {unknown[]} id of a class, as texts have it */
  #isAllowed(id) {
    if (this.#allowed.has(id.join('/'))) return true;
    return id[0] === 'langchain_core' && id[1] === 'messages' && MESSAGES.has(String(id.at(-1)));
  }

  /** @param {string} text */
  async #revived(text) {
    /** @type {Fields} */
    const root = { value: JSON.parse(text) };
    // Most texts have nothing to revive, and are not walked through.
    if (!text.includes('"lc":')) return root.value;

    /** @type {[holder: Fields, key: string, record: Fields][]} */
    const records = [];
    const loading = [];
    const holders = [root];
    for (let holder = holders.pop(); holder !== undefined; holder = holders.pop()) {
      for (const [key, part] of Object.entries(holder)) {
        if (typeof part !== 'object' || part === null) continue;
        if (this.#isLoaded(part)) {
          loading.push(this.#load(holder, key, part));
          continue;
        }
        if (part.lc === 2) records.push([holder, key, part]);
        holders.push(part);
      }
    }
    await Promise.all(loading);
    // A record within another one was found after it, and is revived before it.
    for (const [holder, key, record] of records.reverse()) setField(holder, key, revived(record));
    return root.value;
  }

  /** @param {Fields} part */
  #isLoaded({ lc, type, id }) {
    return lc === 1 && type === 'constructor' && Array.isArray(id) && this.#isAllowed(id);
  }

  /**
   * @param {Fields} holder
   * @param {string} key
   * @param {Fields} record
   */
  async #load(holder, key, record) {
    const text = JSON.stringify(this.#escaped(record));
    setField(holder, key, await load(text, /** @type {any} */ ({ maxDepth: Infinity })));
  }

  /**
   * The text for LangChain, which within an allowed object would revive any other as well.
   *
   * @param {any} part
   * @returns {any}
   */
  #escaped(part) {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((item) => this.#escaped(item));
    if (part.lc === UNDEFINED.lc && part.type === UNDEFINED.type) return undefined;
    const keys = Object.keys(part);
    if (keys.length === 1 && keys[0] === ESCAPED) return part;
    if (Object.hasOwn(part, 'lc') && !this.#isLoaded(part)) return { [ESCAPED]: part };
    /** @type {Fields} */
    const copy = {};
    for (const key of keys) setField(copy, key, this.#escaped(part[key]));
    return copy;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The object of a record; one that the serializer does not write is returned itself.
 *
 * @param {Fields} record
 */
function revived(record) {
  const { type, id, method, args } = record;
  if (type === 'undefined') return undefined;
  if (type === 'delta_snapshot' && Object.hasOwn(record, 'value')) return snapshot(record.value) ?? record;
  if (type !== 'constructor' || !Array.isArray(id) || id.length !== 1 || !Array.isArray(args)) return record;
  const [first, second] = args;
  const isPairs = () => first.every((/** @type {unknown} */ it) => Array.isArray(it) && it.length === 2);
  if (id[0] === 'Uint8Array' && (method === 'from' || (method ?? null) === null)) {
    if (typeof first === 'string' && second === 'base64') return bytesFromBase64(first);
    return Array.isArray(first) && first.every(isByte) ? Uint8Array.from(first) : record;
  }
  if ((method ?? null) !== null) return record;
  switch (id[0]) {
    case 'Set':
      return Array.isArray(first) ? new Set(first) : record;
    case 'Map':
      return Array.isArray(first) && isPairs() ? new Map(first) : record;
    case 'Error':
      return typeof first === 'string' ? new Error(first) : record;
    case 'RegExp':
      return expression(first, second) ?? record;
    default:
      return record;
  }
}

/**
 * Earlier versions of LangGraph have no such snapshots.
 *
 * @param {unknown} value
 */
function snapshot(value) {
  const { DeltaSnapshot } = langgraph;
  return DeltaSnapshot === undefined ? null : new DeltaSnapshot(value);
}

/** @param {unknown} item */
function isByte(item) {
  return Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255;
}

/**
 * @param {unknown} source
 * @param {unknown} flags
 */
function expression(source, flags) {
  if (typeof source !== 'string' || typeof flags !== 'string') return null;
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}
