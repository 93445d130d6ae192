// Makes the vocabularies of exact token counts.
//
//   node vocabulary.mjs --tools FOLDER --out FOLDER
//
// The ranks are OpenAI's, as js-tiktoken has them. They are brought back into the form that OpenAI publishes
// (`o200k_base.tiktoken`), whose digests tiktoken has in its source, so that a package with other ranks in it ends
// the build. Then they are made smaller: byte pair encoding of a token's own bytes ends with two parts, which are
// tokens of lower ranks, so that two numbers are all that has to be known of it.
//
// A vocabulary is one line that says what it is, then as raw deflate 256 bytes, which the first 256 ranks are, and
// six bytes of every other rank's pair, each in a plane of its own: of the left rank the high, middle and low byte,
// then the same of the right one. In planes, deflate finds what is alike.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import * as zlib from 'node:zlib';

/** Of each encoding, the digest in tiktoken's `tiktoken_ext/openai_public.py`. */
const ENCODINGS = {
  o200k: {
    ranks: 'o200k_base',
    digest: '446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d',
  },
  cl100k: {
    ranks: 'cl100k_base',
    digest: '223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7',
  },
};

/** The version of the form; a reader refuses another one. */
const VERSION = 1;

/** So many ranks are a byte each. */
const BYTES = 256;

/** More ranks than three bytes can name have no place in a plane. */
const MOST_RANKS = 1 << 24;

/** The settings with the smallest result, of all levels of memory and strategies. */
const DEFLATE = { level: 9, memLevel: 8, strategy: zlib.constants.Z_FILTERED };

const { values } = parseArgs({ options: { tools: { type: 'string' }, out: { type: 'string' } } });
const { tools, out } = values;
if (!tools || !out) throw new Error('usage: node vocabulary.mjs --tools FOLDER --out FOLDER');
const require = createRequire(path.join(path.resolve(tools), 'index.js'));

for (const [encoding, { ranks, digest }] of Object.entries(ENCODINGS)) {
  const tokens = tokensOf(require(`js-tiktoken/ranks/${ranks}`).bpe_ranks);
  const published = publishedForm(tokens);
  const found = sha256(published);
  if (found !== digest) {
    throw new Error(`the ranks of ${ranks} in js-tiktoken are not OpenAI's: SHA-256 ${found}, expected ${digest}`);
  }
  const unpacked = unpackedForm(tokens, ranks);
  const header = `milepost-vocabulary ${VERSION} ${encoding} ${tokens.length}\n`;
  const vocabulary = Buffer.concat([Buffer.from(header), zlib.deflateRawSync(unpacked, DEFLATE)]);
  fs.writeFileSync(path.join(out, `${encoding}.vocabulary`), vocabulary);
  fs.writeFileSync(path.join(out, `${ranks}.tiktoken`), published);
  console.log(`${encoding} ${tokens.length} tokens, ${vocabulary.length} bytes, unpacked SHA-256 ${sha256(unpacked)}`);
}

/**
 * The bytes of each token, in the order of the ranks. Lines of the text are `! RANK TOKEN TOKEN …`, where the first
 * token has that rank and each other one the next.
 *
 * @param {string} text
 */
function tokensOf(text) {
  /** @type {string[]} */
  const tokens = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, first, ...encoded] = line.split(' ');
    if (Number(first) !== tokens.length) throw new Error(`the ranks have a hole before ${first}`);
    // One character for each byte, so that a token can be a key.
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64').toString('latin1'));
  }
  return tokens;
}

/** @param {string[]} tokens */
function publishedForm(tokens) {
  return tokens.map((token, rank) => `${Buffer.from(token, 'latin1').toString('base64')} ${rank}\n`).join('');
}

/**
 * @param {string[]} tokens
 * @param {string} name for errors
 */
function unpackedForm(tokens, name) {
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  if (ranks.size !== tokens.length) throw new Error(`a token of ${name} has two ranks`);
  if (tokens.length > MOST_RANKS) throw new Error(`${name} has ${tokens.length} tokens, more than three bytes can name`);
  const pairs = tokens.length - BYTES;
  const unpacked = Buffer.alloc(BYTES + 6 * pairs);
  for (const [rank, token] of tokens.entries()) {
    if (rank < BYTES) {
      if (token.length !== 1) throw new Error(`rank ${rank} of ${name} is not a byte`);
      unpacked[rank] = token.charCodeAt(0);
      continue;
    }
    const parts = partsOf(token, rank, ranks);
    if (parts.length !== 2) throw new Error(`rank ${rank} of ${name} is ${parts.length} tokens of lower ranks, not 2`);
    for (const [side, part] of parts.entries()) {
      const at = BYTES + 3 * side * pairs + rank - BYTES;
      unpacked[at] = part >> 16;
      unpacked[at + pairs] = (part >> 8) & 255;
      unpacked[at + 2 * pairs] = part & 255;
    }
  }
  return unpacked;
}

/**
 * Returns the parts that byte pair encoding makes of a token by ranks lower than its own.
 *
 * @param {string} token
 * @param {number} own
 * @param {Map<string, number>} ranks
 * @returns {number[]}
 */
function partsOf(token, own, ranks) {
  const parts = [...token];
  for (;;) {
    let lowest = own;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i += 1) {
      const rank = ranks.get(parts[i] + parts[i + 1]) ?? own;
      if (rank < lowest) [lowest, at] = [rank, i];
    }
    if (at === -1) return parts.map((part) => /** @type {number} */ (ranks.get(part)));
    parts.splice(at, 2, parts[at] + parts[at + 1]);
  }
}

/** @param {string | Buffer} content */
function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}
