// Reads the payload of a hook: the first whole JSON object on standard input. Some agents never close it, and
// some never write to it, so neither the end nor the first byte is waited for without limit.

import fs from 'node:fs';

const SILENCE_MS = 3_000;
const MAX_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Between looks at an input that cannot be waited for. */
const LOOK_MS = 5;

/**
 * Hands over the object; null where nothing came, or no whole object before the end or a long silence. Not by a
 * stream: loading those takes longer than the rest.
 *
 * @param {(failure: Error | null, payload: any) => void} done
 */
export function readPayload(done) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  let isOver = false;
  const endOf = objectEnd();
  const finish = (/** @type {Error | null} */ failure, /** @type {any} */ payload = null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    done(failure, payload);
  };
  // A read that is under way keeps the process alive.
  const timer = setTimeout(() => {
    finish(null);
    process.exit(0);
  }, SILENCE_MS);
  const next = () => {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    fs.read(0, chunk, 0, CHUNK_BYTES, null, (error, count) => {
      if (isOver) return;
      if (error?.code === 'EAGAIN') return void setTimeout(next, LOOK_MS);
      // Windows tells the end of a pipe as an error.
      if (error || count === 0) return finish(null);
      timer.refresh();
      const part = chunk.subarray(0, count);
      // What ends with a brace mostly is the object, and to try takes less than to look for the end.
      const [, whole] = mayEnd(part) ? outcomeOf([...chunks, part]) : [null, null];
      if (whole !== null) return finish(null, whole);
      const end = endOf(part);
      chunks.push(end === null ? part : part.subarray(0, end));
      size += count;
      if (end !== null) {
        const [failure, payload] = outcomeOf(chunks);
        return finish(failure, payload);
      }
      if (size > MAX_BYTES) return finish(new Error(`the payload is larger than ${MAX_BYTES} bytes`));
      next();
    });
  };
  next();
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
 * The object from the first brace on, or why it is none.
 *
 * @param {Buffer[]} chunks
 * @returns {[Error, null] | [null, any]}
 */
function outcomeOf(chunks) {
  const text = (chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks)).toString();
  try {
    return [null, JSON.parse(text.slice(text.indexOf('{')))];
  } catch (error) {
    return [/** @type {Error} */ (error), null];
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
