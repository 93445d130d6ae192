// Counts equal to tiktoken's, on every host.
//
// MILEPOST_SEED takes another seed than 1.

import '../environment.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import test, { before } from 'node:test';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { ENCODINGS, TokenCounter, countTokens, decode, encode, fits, truncate } from 'milepost/exact-tokens';
import { serve } from './serve.mjs';
import { Chance, hostileTexts, longTexts, pairs, tokensOf } from './texts.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const { MILEPOST_PYTHON, MILEPOST_TIKTOKEN, MILEPOST_RANKS, MILEPOST_CLONE } = process.env;
const seed = Number(process.env.MILEPOST_SEED ?? 1);

/** Of so many texts one is compared in every way; the others by their counts. */
const SAMPLE = 20;
const HOSTILE = 100_000;
const LONG = { count: 40, units: 1 << 18 };

/** The output of other programs: as many lines as there are texts. */
const MOST_OUTPUT = 256 * 1024 * 1024;

/** The bytes that a page downloads at most to count with an encoding, after gzip. */
const MOST_DOWNLOADED = { o200k: 780_000, cl100k: 400_000 };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
const file = path.join(folder, 'texts.jsonl');
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

let texts;
let expected;

before(async () => {
  console.log(`# seed ${seed}`);
  const tokens = tokensOf(path.join(MILEPOST_RANKS, 'o200k_base.tiktoken'));
  const files = ['README.md', 'ARCHITECTURE.md', 'src/checkpoint/command/document.rs', 'pkg/src/wasm/instance.js']
    .map((name) => path.join(MILEPOST_CLONE, name))
    .filter((name) => fs.existsSync(name));
  texts = [
    ...pairs(),
    ...hostileTexts(seed, HOSTILE, tokens),
    ...longTexts(seed, LONG.count, LONG.units, tokens, files),
  ];
  fs.writeFileSync(file, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
  const args = [path.join(here, 'reference.py'), MILEPOST_RANKS, file, String(SAMPLE)];
  const env = { ...process.env, PYTHONPATH: MILEPOST_TIKTOKEN };
  const { stdout } = await run(MILEPOST_PYTHON, args, { env, maxBuffer: MOST_OUTPUT });
  expected = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(expected.length, texts.length);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  console.log(`# ${texts.length} texts, ${bytes} bytes`);
});

/** Says which texts have other counts. */
function assertCounts(counts, host) {
  const wrong = counts.flatMap((found, index) =>
    found.every((count, encoding) => count === expected[index].counts[encoding])
      ? []
      : [`${JSON.stringify(texts[index].slice(0, 200))}: ${found} instead of ${expected[index].counts}`],
  );
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${counts.length} are wrong on ${host}`);
  assert.equal(counts.length, texts.length);
}

/** Every text of the sample, with what tiktoken says of it in an encoding. */
function sample(check) {
  let checked = 0;
  for (const [index, { ids, cuts }] of expected.entries()) {
    if (ids === undefined) continue;
    for (const [number, encoding] of ENCODINGS.entries()) {
      check(texts[index], encoding, { ids: ids[number], cuts: cuts[number], index });
      checked += 1;
    }
  }
  assert.ok(checked > 10_000, `only ${checked} were checked`);
}

test('counts are tiktoken’s on Node', () => {
  assertCounts(
    texts.map((text) => ENCODINGS.map((encoding) => countTokens(text, encoding))),
    'Node',
  );
});

test('ids are tiktoken’s, and decode to the text', () => {
  sample((text, encoding, { ids }) => {
    assert.deepEqual([...encode(text, encoding)], ids, JSON.stringify(text));
    assert.equal(decode(ids, encoding), text.toWellFormed?.() ?? Buffer.from(text).toString());
  });
});

test('a text is cut at a boundary of tiktoken’s tokens, and fits from its count on', () => {
  const chance = new Chance(seed);
  sample((text, encoding, { cuts, ids }) => {
    for (const limit of new Set([0, 1, ids.length - 1, ids.length, chance.below(ids.length + 1)])) {
      if (limit < 0) continue;
      const [units] = cuts[limit];
      assert.equal(truncate(text, limit, encoding), text.slice(0, units), `${limit} of ${JSON.stringify(text)}`);
      assert.equal(fits(text, limit, encoding), limit >= ids.length, `${limit} of ${JSON.stringify(text)}`);
    }
    assert.equal(truncate(text, Infinity, encoding), text);
  });
});

test('what the stores count with says the same, in bytes', () => {
  const { count } = globalThis[Symbol.for('milepost.exact-tokens')];
  sample((text, encoding, { cuts, ids }) => {
    const limit = ids.length >> 1;
    assert.deepEqual(count(encoding, text, limit), { tokens: ids.length, kept: cuts[limit][1] });
    assert.deepEqual(count(encoding, text, Infinity), { tokens: ids.length, kept: cuts[ids.length][1] });
  });
});

test('a text that comes in pieces counts the same, wherever it is cut', () => {
  const chance = new Chance(seed);
  sample((text, encoding, { ids }) => {
    const counter = new TokenCounter(encoding);
    for (let at = 0; at < text.length; ) {
      const end = Math.min(text.length, at + 1 + chance.below(8));
      counter.add(text.slice(at, end));
      at = end;
    }
    assert.equal(counter.count, ids.length, JSON.stringify(text));
    counter.free();
  });
});

for (const host of ['deno', 'bun']) {
  const program = process.env[`MILEPOST_${host.toUpperCase()}`];
  test(`counts are the same on ${host}`, { skip: program === undefined && `there is no ${host}` }, async () => {
    const flags = host === 'deno' ? ['run', '--allow-read', '--allow-env', '--no-lock'] : [];
    const args = [...flags, path.join(here, 'count.mjs'), file];
    const { stdout } = await run(program, args, { cwd: here, maxBuffer: MOST_OUTPUT });
    assertCounts(JSON.parse(stdout), host);
  });
}

test('counts are the same in a page, which downloads no more than it needs', skipWithout('MILEPOST_CHROMIUM'), async (t) => {
  const host = createRequire(path.join(process.env.MILEPOST_HOST_MODULES, 'index.js'));
  const browser = await host('playwright-core').chromium.launch({
    executablePath: process.env.MILEPOST_CHROMIUM,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
  t.after(() => browser.close());
  const { address, served } = await serve(t, file);
  const counts = [];
  for (const encoding of ENCODINGS) {
    served.clear();
    const page = await browser.newPage();
    page.setDefaultTimeout(180_000);
    await page.goto(address);
    counts.push(
      await page.evaluate(async (name) => {
        const { countTokens: count, load } = await import('/index.portable.mjs');
        let early;
        try {
          count('too early', name);
        } catch ({ code, message }) {
          early = { code, message };
        }
        if (early?.code !== 'usage' || !early.message.includes(`await load("${name}")`)) {
          throw new Error(`counting before loading: ${JSON.stringify(early)}`);
        }
        await load(name);
        const lines = (await (await fetch('/texts')).text()).trimEnd().split('\n');
        return lines.map((line) => count(JSON.parse(line), name));
      }, encoding),
    );
    await page.close();
    served.delete('texts');
    const compressed = [...served.keys()].map((name) => zlib.gzipSync(distFile(name), { level: 9 }).length);
    const bytes = compressed.reduce((sum, size) => sum + size, 0);
    t.diagnostic(`${encoding}: ${bytes} bytes after gzip, in ${[...served.keys()].join(', ')}`);
    assert.ok(bytes <= MOST_DOWNLOADED[encoding], `${bytes} bytes are downloaded for ${encoding}`);
  }
  assertCounts(
    texts.map((_, index) => counts.map((one) => one[index])),
    'the page',
  );
});

function distFile(name) {
  return fs.readFileSync(path.join(path.dirname(createRequire(import.meta.url).resolve('milepost-exact-tokens')), name));
}

/** @param {string} variable */
function skipWithout(variable) {
  return { skip: process.env[variable] === undefined && `${variable} is not set` };
}
