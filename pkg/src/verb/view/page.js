// One page with everything in it: code, wasm and data, and a policy that lets it have nothing else.

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import stream from 'node:stream';
import zlib from 'node:zlib';
import { bytesOf } from './frames.js';
import { NAME, withProgram } from './words.js';

/** @typedef {import('./frames.js').Frame} Frame */

/** The beginning of every page, by which a page is recognized regardless of where it was passed on to. */
const START = '<!doctype html>';
const SHAPE = '<meta name="milepost-shape" content="export"';
/** The number of first bytes that have both in them. */
const START_BYTES = 4096;

const SMALLEST = { level: zlib.constants.Z_BEST_COMPRESSION };

/** The data is held in parts of so many bytes, which make whole characters of base64: a browser hands each over as
 * it comes to its end, while it reads on. */
const PART_BYTES = 192 * 1024;

/**
 * The page of these frames.
 *
 * @param {string} folder of the page's files
 * @param {Iterable<Frame>} frames
 * @param {string} [program] the words that start it
 * @returns {Promise<Buffer>}
 */
export async function pageOf(folder, frames, program = NAME) {
  const file = (/** @type {string} */ name) => partOf(folder, name);
  const script = inScript(file('unpack.js').toString());
  const style = inStyle(file('style.css').toString());
  const data = await packed(frames);
  const held = [
    holding(named('milepost-app'), zlib.gzipSync(file('whole.js'), SMALLEST)),
    holding(named('milepost-worker'), zlib.gzipSync(file('worker.js'), SMALLEST)),
    holding(named('milepost-wasm'), zlib.gzipSync(file('viewer.wasm'), SMALLEST)),
    // Before the data, for which it does not wait.
    `<script type="module" async>${script}</script>`,
  ];
  for (let from = 0; from < data.length; from += PART_BYTES) {
    held.push(holding('class="milepost-data"', data.subarray(from, from + PART_BYTES)));
  }
  let page = withProgram(file('index.html').toString(), program);
  page = put(page, /<meta\s+name="milepost-shape"[^>]*>/, `${SHAPE} />`);
  page = put(page, /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, policy(script, style));
  page = put(page, /<link\s+rel="stylesheet"[^>]*>/, `<style>${style}</style>`);
  page = put(page, /\s*<script\s[^>]*><\/script>/, '');
  return Buffer.from(put(page, /<\/body>/, `${held.join('\n')}\n</body>`));
}

/**
 * A part of the page; a read error is nothing that the caller can fix.
 *
 * @param {string} folder
 * @param {string} name
 */
function partOf(folder, name) {
  try {
    return fs.readFileSync(path.join(folder, name));
  } catch (cause) {
    throw new Error(`The page of this package is not whole: ${name} cannot be read`, { cause });
  }
}

/**
 * Returns whether a file is such a page.
 *
 * @param {string} file
 */
export function isExport(file) {
  const opened = fs.openSync(file, 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    const text = start.toString('utf8', 0, fs.readSync(opened, start, 0, START_BYTES, 0));
    return text.startsWith(START) && text.includes(SHAPE);
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Puts a text in the place of another one, which is there once.
 *
 * @param {string} page
 * @param {RegExp} place
 * @param {string} text
 */
function put(page, place, text) {
  if (!place.test(page)) throw new Error(`The page of this package has no place for ${place.source}: it is not whole`);
  // As a function: in a text, a dollar sign would mean something.
  return page.replace(place, () => text);
}

/** @param {Iterable<Frame>} frames */
async function packed(frames) {
  const gzip = stream.Readable.from(pieces(frames), { objectMode: false }).pipe(zlib.createGzip(SMALLEST));
  const parts = [];
  for await (const part of gzip) parts.push(part);
  return Buffer.concat(parts);
}

/** @param {Iterable<Frame>} frames */
function* pieces(frames) {
  for (const frame of frames) yield* bytesOf(frame);
}

/** @param {string} id */
const named = (id) => `id="${id}"`;

/**
 * @param {string} attribute that it is found by
 * @param {Buffer} bytes
 */
function holding(attribute, bytes) {
  return `<script type="text/plain" ${attribute}>${bytes.toString('base64')}</script>`;
}

/**
 * Code that ends no element, and that a reader of HTML leaves as it is. What is replaced stands in strings and regular
 * expressions alone, where the replacement means the same.
 *
 * @param {string} code
 */
function inScript(code) {
  return lines(code).replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`);
}

/** @param {string} style */
function inStyle(style) {
  return lines(style).replaceAll(/<\/(?=style)/gi, String.raw`<\/`);
}

/**
 * Ends of lines as a reader of HTML has them: hashes are of what it reads.
 *
 * @param {string} text
 */
function lines(text) {
  return text.replaceAll(/\r\n?/g, '\n');
}

/**
 * Returns the page's policy: run its own script, its worker, and nothing from anywhere.
 *
 * @param {string} script
 * @param {string} style
 */
function policy(script, style) {
  const rules = [
    "default-src 'none'",
    // Its own code comes out of what it holds.
    `script-src '${hash(script)}' blob: 'wasm-unsafe-eval'`,
    `style-src '${hash(style)}'`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types milepost',
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}" />`;
}

/** @param {string} text */
function hash(text) {
  return `sha256-${crypto.createHash('sha256').update(text).digest('base64')}`;
}
