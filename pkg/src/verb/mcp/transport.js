// Messages on standard input and output: one a line, and nothing else.

import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { shown } from '../../base/visible.js';

/** @typedef {import('@modelcontextprotocol/server').JSONRPCMessage} Message */
/** @typedef {string | number} Id */

/** No line is kept that is longer: as many bytes as a document may have, and room for what is around it. */
const MAX_LINE_BYTES = 17 * 1024 * 1024;

/** The time for answers to requests from before the input ended, in ms. */
const GRACE_MS = 5000;

/** Of JSON-RPC 2.0. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

const NEWLINE = 0x0a;

/** A subscription is answered when it ends, which is not waited for. */
const ENDLESS = 'subscriptions/listen';

/**
 * The transport of the package, in place of the SDK's: that one leaves a line that is not JSON unanswered, ends at a
 * line that is too long, and at the end of the input drops what it was asked before.
 */
export class Lines {
  /** @type {(() => void) | undefined} */
  onclose;
  /** @type {((error: Error) => void) | undefined} */
  onerror;
  /** @type {((message: Message) => void) | undefined} */
  onmessage;

  #input;
  #output;
  /** @type {(message: Message) => void} */
  #seen;
  /** @type {Buffer[]} the beginning of a line */
  #parts = [];
  #length = 0;
  #isTooLong = false;
  /** @type {Set<Id>} */
  #unanswered = new Set();
  #isClosed = false;
  #hasEnded = false;
  /** @type {() => void} */
  #end = () => {};

  /** Settles once there is nothing more to answer, or no client to answer to. */
  ended = new Promise((/** @type {(value: void) => void} */ resolve) => (this.#end = resolve));

  /**
   * @param {import('node:stream').Readable} input
   * @param {import('node:stream').Writable} output
   * @param {(message: Message) => void} seen gets each message before it is served
   */
  constructor(input, output, seen) {
    this.#input = input;
    this.#output = output;
    this.#seen = seen;
  }

  async start() {
    this.#input.on('data', (chunk) => this.#take(chunk));
    this.#input.on('end', () => this.#finish());
    this.#input.on('close', () => this.#finish());
    this.#input.on('error', () => this.#finish());
    this.#output.on('error', () => this.#end());
  }

  /** @param {Message} message */
  async send(message) {
    if (this.#isClosed) return;
    this.#output.write(`${JSON.stringify(readable(message))}\n`);
    if ('id' in message && !('method' in message)) this.#answered(message.id);
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
    this.onclose?.();
  }

  /**
   * Cuts what came into lines.
   *
   * @param {Buffer} chunk
   */
  #take(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** @param {Buffer} part */
  #keep(part) {
    this.#length += part.length;
    this.#isTooLong ||= this.#length > MAX_LINE_BYTES;
    if (this.#isTooLong) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Serves the line that is whole now. */
  #line() {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const isTooLong = this.#isTooLong;
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (isTooLong) {
      const limit = `expected at most ${MAX_LINE_BYTES} bytes in a line`;
      return this.#refuse(INVALID_REQUEST, `The message is too long: ${limit}; it was not read`);
    }
    if (isBlank(bytes)) return;
    this.#serve(bytes);
  }

  /** @param {Buffer} bytes */
  #serve(bytes) {
    let value;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      return this.#refuse(PARSE_ERROR, 'Parse error: expected one JSON-RPC message in UTF-8 a line');
    }
    let message;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(INVALID_REQUEST, 'Invalid request: this is no message of JSON-RPC 2.0', idOf(value));
    }
    if ('method' in message && 'id' in message && message.method !== ENDLESS) this.#unanswered.add(message.id);
    this.#seen(message);
    this.onmessage?.(message);
    const cancelled = cancelledBy(message);
    // It may go without an answer.
    if (cancelled !== undefined) this.#answered(cancelled);
  }

  /**
   * @param {number} code
   * @param {string} message
   * @param {Id | null} [id]
   */
  #refuse(code, message, id = null) {
    if (this.#isClosed) return;
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  /** @param {Id | undefined} id */
  #answered(id) {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#hasEnded && this.#unanswered.size === 0) this.#end();
  }

  /** The input has ended; half a line is nothing. */
  #finish() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#answered(undefined);
    setTimeout(this.#end, GRACE_MS).unref();
  }
}

/** Members that a client has to find again unchanged. */
const ITS_OWN = ['id', '_meta'];

/**
 * A message in which nothing is hidden, be it of this server or of the SDK, of what is stored or of what a client sent.
 *
 * @param {Message} message
 */
function readable(message) {
  const parts = Object.entries(message).map(([name, part]) => {
    if (ITS_OWN.includes(name)) return [name, part];
    if (name !== 'params' && name !== 'result') return [name, shown(part)];
    const members = Object.entries(part ?? {}).map(([inner, member]) => [inner, inner === '_meta' ? member : shown(member)]);
    return [name, Object.fromEntries(members)];
  });
  return Object.fromEntries(parts);
}

/** @param {Buffer} line */
function isBlank(line) {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/**
 * The id of what is no request, where it has one.
 *
 * @param {any} value
 * @returns {Id | null}
 */
function idOf(value) {
  const id = value?.id;
  return typeof id === 'string' || Number.isInteger(id) ? id : null;
}

/**
 * The request that a message cancels.
 *
 * @param {Message} message
 * @returns {Id | undefined}
 */
export function cancelledBy(message) {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
