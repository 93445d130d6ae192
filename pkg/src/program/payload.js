// Reads the payload of a hook: the first whole JSON object on standard input. Some agents never close it, and
// some never write to it, so neither the end nor the first byte is waited for without limit.
//
// No read may wait in a thread, as `fs.read` of a pipe does: `process.exit` waits for that thread, and the process
// stays until the other side closes.

import fs from 'node:fs';

const SILENCE_MS = 3_000;
/** The time for a last look after a silence: a process that did not run may have input that it did not see. */
const LAST_LOOK_MS = 100;
const MAX_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Between looks at an input that has nothing yet. */
const LOOK_MS = 2;

/**
 * Hands over the object; null where nothing came, or no whole object before the end or a long silence.
 *
 * @param {(failure: Error | null, payload: any) => void} done
 */
export function readPayload(done) {
  let isOver = false;
  /** @type {NodeJS.Timeout | undefined} */
  let silence;
  const wait = () => {
    silence ??= setTimeout(() => (silence = setTimeout(finish, LAST_LOOK_MS, null)), SILENCE_MS);
  };
  const finish = (/** @type {Error | null} */ failure, /** @type {any} */ payload = null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    done(failure, payload);
  };
  const collect = collector(finish);
  /** @type {Input} */
  const input = {
    take(part) {
      clearTimeout(silence);
      silence = undefined;
      collect(part);
      return !isOver;
    },
    end: () => finish(null),
    wait,
  };
  if (mayBeRead()) look(input);
  else stream(input);
}

/**
 * The reader's calls for an input.
 *
 * @typedef {object} Input
 * @property {(part: Buffer) => boolean} take whether more is wanted
 * @property {() => void} end
 * @property {() => void} wait before each wait for something
 */

/**
 * Returns whether reading never waits. A pipe or a socket is made so, by the one thing in Node that does that without
 * its streams, which take longer to load than all else here. It is not public, and may be gone.
 */
function mayBeRead() {
  try {
    const kind = fs.fstatSync(0);
    if (kind.isFile()) return true;
    // Deno has the same names with nothing behind them.
    if (process.platform === 'win32' || 'Deno' in globalThis || !(kind.isFIFO() || kind.isSocket())) return false;
    // @ts-expect-error It has no types.
    const { Pipe, constants } = process.binding('pipe_wrap');
    return new Pipe(constants.SOCKET).open(0) === 0;
  } catch {
    return false;
  }
}

/**
 * Takes what is there, and looks again after a while.
 *
 * @param {Input} input
 */
function look(input) {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const count = fs.readSync(0, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) return input.end();
      if (!input.take(Buffer.from(chunk.subarray(0, count)))) return;
    }
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') return input.end();
    input.wait();
    setTimeout(look, LOOK_MS, input);
  }
}

/**
 * Takes what Node's stream brings.
 *
 * @param {Input} input
 */
function stream(input) {
  input.wait();
  const take = (/** @type {Buffer} */ part) => void (input.take(part) && input.wait());
  process.stdin.on('data', take).on('end', input.end).on('error', input.end);
}

/**
 * Puts chunks together, until there is an object or too much.
 *
 * @param {(failure: Error | null, payload?: any) => void} finish
 * @returns {(part: Buffer) => void}
 */
function collector(finish) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  const endOf = objectEnd();
  return (part) => {
    // An end with a brace mostly is the end of the object, and to try takes less than to look for it.
    const [, whole] = mayEnd(part) ? outcomeOf([...chunks, part]) : [null, null];
    if (whole !== null) return finish(null, whole);
    const end = endOf(part);
    chunks.push(end === null ? part : part.subarray(0, end));
    size += part.length;
    if (end !== null) {
      const [failure, payload] = outcomeOf(chunks);
      return finish(failure, payload);
    }
    if (size > MAX_BYTES) finish(new Error(`the payload is larger than ${MAX_BYTES} bytes`));
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const NEW_LINE = 0x0a;

/** @param {Buffer} part */
function mayEnd(part) {
  return part.at(part.at(-1) === NEW_LINE ? -2 : -1) === CLOSE;
}

/**
 * The object from the first brace on, or the error of one that cannot be read.
 *
 * @param {Buffer[]} chunks
 * @returns {[Error, null] | [null, any]}
 */
function outcomeOf(chunks) {
  const text = (chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks)).toString();
  try {
    return [null, JSON.parse(text.slice(text.indexOf('{')))];
  } catch (error) {
    // The rest of the sentence quotes the payload, of which a part of a secret may be all that is there.
    const [reason] = /** @type {Error} */ (error).message.split(/,? *(?:\.\.\.)?"/, 1);
    return [new Error(`the payload is not valid JSON: ${reason}`), null];
  }
}

/**
 * Follows braces outside of strings from chunk to chunk. Bytes are enough: in UTF-8 no part of a longer
 * character looks like ASCII.
 *
 * @returns {(chunk: Buffer) => number | null} where in the chunk the first object ends
 */
function objectEnd() {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE && --depth === 0) return at + 1;
    }
    return null;
  };
}
