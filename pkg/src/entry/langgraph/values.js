// Values of a checkpoint between the serializer and what is stored.

import { MilepostError } from 'milepost:threads';
import { base64Bytes, bytesFromBase64 } from '../../base/base64.js';
import { bytesOf } from '../../base/brand.js';
import { pointer } from '../../base/pointer.js';
import { visible } from '../../base/visible.js';
import { ThreadSerializer } from './serializer.js';
import { uncarried } from './writing.js';

/** @typedef {import('@langchain/langgraph-checkpoint').SerializerProtocol} Serde */
/** @typedef {import('../../../types/threads.js').Typed} Typed */
/** @typedef {{kind: string, text: Uint8Array, encoding?: string}} Dumped text as UTF-8 */

/** @typedef {{part: 'checkpoint' | 'metadata' | 'channel', channel?: string}} Part a part of a checkpoint */

/** The most bytes of text that a value may have: a part that holds more cannot be read. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The whole value, where LangGraph's own serializer fails at a part of it. */
const SENTENCE = '[unable to serialize, circular reference is too complex to analyze]';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Where there is one, it makes no text of what it looks at. */
const isUtf8 = globalThis.process?.getBuiltinModule?.('node:buffer')?.isUtf8;

/** @param {Uint8Array} bytes */
function isText(bytes) {
  if (isUtf8 !== undefined) return isUtf8(bytes);
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Serde} serde
 * @param {unknown} value
 * @param {Part} part
 * @param {(kind: string, bytes: Uint8Array) => Promise<[string, Uint8Array]>} [seal] encrypts it
 * @returns {Promise<Dumped>}
 * @throws {MilepostError} `invalid_document` for a value that would be replaced, `too_large`
 */
export async function dump(serde, value, part, seal) {
  // Bytes are copied before the first wait, in which the key of another part may be asked for: their maker may go on to
  // write there, and the number of an encryption comes from what is encrypted.
  const bytesOfValue = seal === undefined ? null : bytesOf(value);
  const own = bytesOfValue === null ? value : copied(bytesOfValue);
  const [ofValue, data] = await dumped(serde, own).catch((cause) => {
    throw refusal(cause, part);
  });
  const plain = typeof data === 'string' ? encoder.encode(data) : data;
  const sealed = seal && (await seal(ofValue, data === own || typeof data === 'string' ? plain : copied(plain)));
  const [kind, bytes] = sealed ?? [ofValue, plain];
  const encoding = isText(bytes) ? undefined : 'base64';
  const most = encoding === undefined ? MOST_BYTES : (MOST_BYTES / 4) * 3;
  if (bytes.length > most) throw tooLarge(`${bytes.length} bytes, which is more than ${most}`, part);
  if (encoding !== undefined) return { kind, text: base64Bytes(bytes), encoding };
  // Its maker may go on to write there before it is stored.
  return { kind, text: bytes === value ? copied(bytes) : bytes };
}

/**
 * Encrypted bytes as they are stored: they are no UTF-8.
 *
 * @param {[kind: string, bytes: Uint8Array]} sealed
 * @returns {Dumped}
 */
export function dumpedSeal([kind, bytes]) {
  return { kind, text: base64Bytes(bytes), encoding: 'base64' };
}

/**
 * A copy. The `slice` of Node's `Buffer` makes none.
 *
 * @param {Uint8Array} bytes
 */
function copied(bytes) {
  return new Uint8Array(bytes);
}

/**
 * @param {Serde} serde
 * @param {Typed} typed
 * @returns {Promise<any>}
 */
export async function load(serde, [kind, text, encoding]) {
  if (encoding !== undefined) return serde.loadsTyped(kind, bytesFromBase64(text));
  // A serializer of others may expect bytes; ours takes the text, which would be there twice.
  const isOurs = serde instanceof ThreadSerializer;
  return serde.loadsTyped(kind, isOurs ? text : encoder.encode(text));
}

/**
 * The bytes of a text that is stored.
 *
 * @param {Typed} typed
 */
export function bytesOfText([, text, encoding]) {
  return encoding === undefined ? encoder.encode(text) : bytesFromBase64(text);
}

/**
 * @param {Serde} serde
 * @param {unknown} value
 */
async function dumped(serde, value) {
  const found = await serde.dumpsTyped(value);
  // So LangGraph's own serializer puts any value that it fails at.
  if (value !== SENTENCE && isSentence(found[1])) throw uncarried('a value that it cannot write as JSON');
  return found;
}

/** @param {Uint8Array | string} data */
function isSentence(data) {
  const text = JSON.stringify(SENTENCE);
  if (data.length !== text.length) return false;
  return (typeof data === 'string' ? data : new TextDecoder().decode(data)) === text;
}

/**
 * The failure of a part of a checkpoint to become text.
 *
 * @param {any} cause
 * @param {Part} part
 */
function refusal(cause, part) {
  if (cause?.name === 'RangeError') return tooLarge(`more text than there may be: ${cause.message}`, part, cause);
  if (cause?.code !== 'invalid_document' || !(cause.problems?.length > 0)) return cause;
  const [{ at, code, message }] = cause.problems;
  const problems = [{ at: `${placeOf(part)}${at}`, code, message }];
  const said = `The ${nameOf(part)} is not stored: ${at === '' ? '' : `${at}: `}${message}`;
  return new MilepostError('invalid_document', said, { problems });
}

/**
 * @param {string} found
 * @param {Part} part
 * @param {unknown} [cause]
 */
function tooLarge(found, part, cause) {
  const said = `The ${nameOf(part)} is not stored: it has ${found}`;
  return new MilepostError('too_large', said, { path: placeOf(part), cause });
}

/** @param {Part} part */
function placeOf({ part, channel }) {
  return channel === undefined ? `/${part}` : pointer(['channel_values', channel]);
}

/** @param {Part} part */
function nameOf({ part, channel }) {
  return channel === undefined ? part : `channel ${visible(JSON.stringify(channel))}`;
}
