// Authenticated encryption of what a saver stores: AES-256-GCM of WebCrypto. Each text is bound to its place, so that one
// that was changed, cut short, or moved there from elsewhere is refused.

import { MilepostError } from 'milepost:threads';
import { describe, quote } from '../../base/quote.js';
import { visible } from '../../base/visible.js';

/** @typedef {import('../../../types/langgraph.js').SaverEncryption} SaverEncryption */

/**
 * The place of a text: the kind of its part, the thread, and what names it within that.
 *
 * @typedef {(string | number | null)[]} PlaceOfText
 */

/** The kind of a value that is encrypted, for the store. */
export const KIND = 'aes-256-gcm';

/** The use of what is derived from a key. */
const USES = { encrypt: 'milepost threads: encryption', number: 'milepost threads: number' };

/** Begins every encrypted text: a byte that no UTF-8 has, and the version. */
const BEGIN = [0xff, 1];

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MOST_HEADER = 0xffff;
const OPTIONS = ['keyId', 'key', 'unencrypted'];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The bytes before the encrypted ones: they are not secret, and cannot be changed.
 *
 * @typedef {{key: string, kind: string, at?: number}} Header `at` is the number of a write among those of its task
 */

/** @typedef {{encrypt: CryptoKey, number: CryptoKey}} Keys derived from the key of an id */

export class ThreadEncryption {
  #keyId;
  #key;
  #readsPlain;
  /** @type {Map<string, Promise<Keys>>} */
  #keys = new Map();

  /**
   * @param {any} options
   * @throws {MilepostError} `usage`
   */
  constructor(options) {
    const unknown = Object.keys(options ?? {}).find((name) => !OPTIONS.includes(name));
    const { keyId, key, unencrypted = 'refuse' } = options ?? {};
    const isId = typeof keyId === 'string' && keyId !== '' && keyId.isWellFormed?.() !== false;
    if (unknown !== undefined || !isId || typeof key !== 'function') {
      const expected = '`keyId`, the id of the key that new values get, and `key`, a function that gives the key of an id';
      throw new MilepostError('usage', `Expected \`encryption\` to have ${expected}`);
    }
    if (unencrypted !== 'refuse' && unencrypted !== 'read') {
      const expected = 'Expected `encryption.unencrypted` to be "refuse" or "read"';
      throw new MilepostError('usage', `${expected}, got ${describe(unencrypted)}`);
    }
    if (globalThis.crypto?.subtle === undefined) {
      const expected = 'a host with WebCrypto; a browser has it on pages that come by HTTPS';
      throw new MilepostError('usage', `Expected for \`encryption\` ${expected}`);
    }
    this.#keyId = keyId;
    this.#key = key;
    this.#readsPlain = unencrypted === 'read';
  }

  /**
   * @param {string} kind of the serializer
   * @param {Uint8Array} bytes
   * @param {PlaceOfText} place
   * @param {number} [at]
   * @returns {Promise<[string, Uint8Array]>}
   */
  async seal(kind, bytes, place, at) {
    /** @type {Header} */
    const header = { key: this.#keyId, kind, ...(at === undefined ? {} : { at }) };
    const text = encoder.encode(JSON.stringify(header));
    if (text.length > MOST_HEADER) {
      throw new MilepostError('usage', `Expected \`encryption.keyId\` to be shorter than ${MOST_HEADER} bytes`);
    }
    const head = new Uint8Array([...BEGIN, text.length >> 8, text.length & 0xff, ...text]);
    const keys = await this.#keyOf(this.#keyId);
    const bound = boundTo(head, place);
    const iv = await numberOf(keys.number, bound, bytes);
    const sealed = await crypto.subtle.encrypt(algorithm(iv, bound), keys.encrypt, /** @type {any} */ (bytes));
    const all = new Uint8Array(head.length + IV_BYTES + sealed.byteLength);
    all.set(head);
    all.set(iv, head.length);
    all.set(new Uint8Array(sealed), head.length + IV_BYTES);
    return [KIND, all];
  }

  /**
   * @param {string} kind as it is stored
   * @param {Uint8Array} bytes
   * @param {PlaceOfText} place
   * @returns {Promise<{kind: string, bytes: Uint8Array, at?: number}>}
   * @throws {MilepostError} `corrupt`, `usage`
   */
  async open(kind, bytes, place) {
    if (kind !== KIND) {
      if (this.#readsPlain) return { kind, bytes };
      throw refused(place, 'it is not encrypted', 'a saver with `unencrypted: "read"` reads what was put without a key');
    }
    const found = parsed(bytes);
    if (found === null) throw refused(place, 'it was cut short, or is no encrypted text');
    const { header, head, iv, sealed } = found;
    const keys = await this.#keyOf(header.key);
    const parameters = algorithm(iv, boundTo(head, place));
    const opened = await crypto.subtle.decrypt(parameters, keys.encrypt, sealed).catch((cause) => {
      const why = 'it was changed, or belongs to another place or version';
      throw refused(place, `${why}, or ${nameOf(header.key)} is another key`, undefined, cause);
    });
    return { kind: header.kind, bytes: new Uint8Array(opened), at: header.at };
  }

  /**
   * The key of an id, which is asked for once.
   *
   * @param {string} id
   */
  #keyOf(id) {
    const known = this.#keys.get(id) ?? imported(id, this.#key);
    this.#keys.set(id, known);
    // One that could not be had is asked for again.
    known.catch(() => this.#keys.delete(id));
    return known;
  }
}

/**
 * The bytes that a text is bound to.
 *
 * @param {Uint8Array} head
 * @param {PlaceOfText} place
 */
function boundTo(head, place) {
  return joined(head, encoder.encode(JSON.stringify(place)));
}

/**
 * The number of a text that is used once. It follows from the text and its place, so that what is put again is the same:
 * else a retry would be another checkpoint of the same id.
 *
 * @param {CryptoKey} key
 * @param {Uint8Array} bound
 * @param {Uint8Array} bytes
 */
async function numberOf(key, bound, bytes) {
  const length = new Uint8Array(new Uint32Array([bound.length]).buffer);
  const digest = await crypto.subtle.sign('HMAC', key, joined(joined(length, bound), bytes));
  return new Uint8Array(digest, 0, IV_BYTES);
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function joined(one, other) {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/**
 * @param {any} iv
 * @param {any} additionalData
 */
function algorithm(iv, additionalData) {
  return { name: 'AES-GCM', iv, additionalData, tagLength: TAG_BYTES * 8 };
}

/**
 * @param {string} id
 * @param {(id: string) => unknown} keyOf
 * @returns {Promise<Keys>}
 */
async function imported(id, keyOf) {
  const given = /** @type {any} */ (await keyOf(id));
  const isBytes = ArrayBuffer.isView(given) && given.byteLength === KEY_BYTES;
  if (!isBytes && given?.algorithm?.name !== 'HKDF') {
    const expected = `${KEY_BYTES} bytes, or a CryptoKey of HKDF`;
    const found = ArrayBuffer.isView(given) ? `${given.byteLength} bytes` : describe(given);
    throw new MilepostError('usage', `Expected \`encryption.key\` to give for ${nameOf(id)} ${expected}; got ${found}`);
  }
  const { subtle } = crypto;
  const key = isBytes ? await subtle.importKey('raw', /** @type {any} */ (given), 'HKDF', false, ['deriveKey']) : given;
  const derive = (/** @type {string} */ use, /** @type {any} */ to, /** @type {KeyUsage[]} */ usages) =>
    subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(use) },
      key,
      to,
      false,
      usages,
    );
  const [encrypt, number] = await Promise.all([
    derive(USES.encrypt, { name: 'AES-GCM', length: KEY_BYTES * 8 }, ['encrypt', 'decrypt']),
    derive(USES.number, { name: 'HMAC', hash: 'SHA-256', length: KEY_BYTES * 8 }, ['sign']),
  ]);
  return { encrypt, number };
}

/**
 * @param {Uint8Array} bytes
 * @returns {{header: Header, head: Uint8Array, iv: Uint8Array, sealed: any} | null}
 */
function parsed(bytes) {
  const length = ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
  const end = BEGIN.length + 2 + length;
  const isWhole = bytes.length >= end + IV_BYTES + TAG_BYTES;
  if (!isWhole || BEGIN.some((byte, at) => bytes[at] !== byte)) return null;
  const head = bytes.subarray(0, end);
  try {
    const header = JSON.parse(decoder.decode(head.subarray(BEGIN.length + 2)));
    if (typeof header?.key !== 'string' || typeof header.kind !== 'string') return null;
    return { header, head, iv: bytes.subarray(end, end + IV_BYTES), sealed: bytes.subarray(end + IV_BYTES) };
  } catch {
    return null;
  }
}

/**
 * @param {PlaceOfText} place
 * @param {string} why
 * @param {string} [help]
 * @param {unknown} [cause]
 */
export function refused([part, , , ...names], why, help, cause) {
  const name = names.find((it) => typeof it === 'string') ?? '';
  const said = `The ${part} ${visible(JSON.stringify(name))} cannot be decrypted: ${why}`;
  return new MilepostError('corrupt', help === undefined ? said : `${said}; ${help}`, { cause });
}

/** @param {string} id of a key */
function nameOf(id) {
  return quote(id, 'its id');
}
