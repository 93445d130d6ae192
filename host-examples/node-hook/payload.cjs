'use strict';

// Reads the payload: the first whole JSON object on standard input. Some hosts never close it,
// and some never write to it, so neither the end nor the first byte is waited for without limit.

const SILENCE_MS = 3_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @returns {Promise<object | null>} null when nothing was sent
 * @throws when what was sent is too large or is no JSON object
 */
async function readPayload() {
  const text = (await readObjectText(process.stdin)).trim();
  return text === '' ? null : JSON.parse(text);
}

/** The text up to the end of the first object, else up to the end or to a long silence. */
function readObjectText(stream) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    const endsObject = objectEnd();
    const stop = () => {
      clearTimeout(timer);
      // An open pipe would keep the process alive.
      stream.destroy();
    };
    const finish = () => {
      stop();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const timer = setTimeout(finish, SILENCE_MS);
    stream.on('data', (chunk) => {
      timer.refresh();
      const end = endsObject(chunk);
      chunks.push(end === null ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (end !== null) return finish();
      if (size <= MAX_BYTES) return;
      stop();
      reject(new Error(`the payload is larger than ${MAX_BYTES} bytes`));
    });
    stream.on('end', finish);
    stream.on('error', finish);
  });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Follows braces outside of strings from chunk to chunk. Bytes are enough: in UTF-8 no part of a
 * longer character looks like ASCII.
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
      if (escaped) escaped = false;
      else if (inString && byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inString = !inString;
      else if (inString) continue;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE && --depth === 0) return at + 1;
    }
    return null;
  };
}

module.exports = { readPayload };
