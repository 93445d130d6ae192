// Exact token counts against the npm packages that count: text that no package has seen, a short text again and again,
// the first count of a process, pieces without end, and texts on which the others are wrong.

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { alternate, runNode, summarize } from '../measure.mjs';
import { addedTo, fasterThan, rounded, skipped, timesItsTime, withinSize, withinTime } from '../report.mjs';

export const name = 'exact-tokens';

const ENCODINGS = ['o200k', 'cl100k'];
const PEERS = ['gpt-tokenizer', 'tiktoken', 'js-tiktoken'];

/** Of each kind of text, one slice a round, which no contestant has seen: all of them keep what they have met. */
const UNSEEN = { rounds: 12, warmups: 2 };
const SLICE = 128 * 1024;

const WARM = { rounds: 60, warmups: 10 };
const REPEATED = 1000;
const SHORT = 200;

const FIRST = 40;

const PIECE = 10_000_000;

/** Texts that other tokenizers take a hundred times as long for as for prose, and the most that they may take here. */
const RUNS = ['-', '=', '#', '*', '/', '-=', ' ', 'a', '-----+------\n'];
const RUN = { rounds: 9, warmups: 2 };
const RUN_BYTES = 1_000_000;
const MOST_TIMES = 10;

/** Characters that JavaScript takes for white space, or for letters, and OpenAI's patterns do not, or the reverse. */
const DISPUTED = [
  ['U+FEFF before a sign', '\ufeff#'],
  ['U+FEFF before a newline', 'a\ufeff\nb'],
  ['U+0085 before an apostrophe', "\u0085's"],
  ['U+0085 behind tabs', '\t\t\u0085'],
  ['a letter of Unicode 17', "\u{1e6e9}'d"],
];

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  if (!fixture.peers) return [skipped('exact token counts', 'the packages to compare with are not there')];
  const ours = fixture.require('milepost/exact-tokens');
  const require = createRequire(fixture.plain('package.json'));
  const texts = corpora(process.env.MILEPOST_PEERS);
  const rows = [];
  for (const encoding of ENCODINGS) {
    const counts = { ours: (text) => ours.countTokens(text, encoding), ...peersOf(require, encoding) };
    rows.push(...Object.entries(texts).map(([kind, slices]) => unseen(encoding, kind, slices, counts)));
    rows.push(short(encoding, texts.prose[0].slice(0, SHORT), counts));
    rows.push(...DISPUTED.map(([what, text]) => disputed(encoding, what, text, counts)));
    rows.push(endless(encoding, counts.ours));
    const prose = flat(texts.prose.join('').slice(0, RUN_BYTES));
    rows.push(...RUNS.map((unit) => run(encoding, unit, prose, counts.ours)));
  }
  return [...rows, ...firsts(fixture), ...memory(fixture)];
}

/** The counter of each package where names of special tokens are text. */
function peersOf(require, encoding) {
  const base = `${encoding}_base`;
  const { countTokens } = require(`gpt-tokenizer/encoding/${base}`);
  const asText = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
  const wasm = require('tiktoken').get_encoding(base);
  const js = require('js-tiktoken').getEncoding(base);
  return {
    'gpt-tokenizer': (text) => countTokens(text, asText),
    tiktoken: (text) => wasm.encode_ordinary(text).length,
    'js-tiktoken': (text) => js.encode(text, [], []).length,
  };
}

/** Each round another slice. */
function unseen(encoding, kind, slices, counts) {
  const said = Object.fromEntries(Object.keys(counts).map((who) => [who, []]));
  const contestants = Object.entries(counts).map(([who, count]) => [
    who,
    (round) => {
      const text = slices[round + UNSEEN.warmups];
      const begun = process.hrtime.bigint();
      const tokens = count(text);
      const ms = Number(process.hrtime.bigint() - begun) / 1e6;
      said[who].push(tokens);
      return ms;
    },
  ]);
  const samples = alternate(UNSEEN, Object.fromEntries(contestants));
  const bytes = slices.reduce((sum, slice) => sum + Buffer.byteLength(slice), 0) / slices.length;
  const speed = ({ median }) => `${rounded(bytes / median / 1000)} MB/s`;
  const fastest = PEERS.reduce((one, other) => (samples[other].median < samples[one].median ? other : one));
  const others = PEERS.filter((who) => who !== fastest).map((who) => `${who} ${speed(samples[who])}`);
  const row = fasterThan({
    what: `${encoding}: ${kind} not seen before, ${Math.round(bytes / 1024)} KB (${speed(samples.ours)}; ${others.join(', ')})`,
    peerName: `${fastest}, ${speed(samples[fastest])}`,
    ours: samples.ours,
    peer: samples[fastest],
  });
  const wrong = PEERS.filter((who) => said[who].some((tokens, at) => tokens !== said.ours[at]));
  if (wrong.length > 0) row.what += `; counted otherwise by ${wrong.join(', ')}`;
  return { ...row, numbers: { ...row.numbers, bytes, samples, wrong } };
}

function short(encoding, text, counts) {
  const repeated = (count) => () => {
    const begun = process.hrtime.bigint();
    let tokens = 0;
    for (let turn = 0; turn < REPEATED; turn++) tokens += count(text);
    if (tokens === 0) throw new Error('nothing was counted');
    return Number(process.hrtime.bigint() - begun) / 1e6 / REPEATED;
  };
  const samples = alternate(
    WARM,
    Object.fromEntries(Object.entries(counts).map(([who, count]) => [who, repeated(count)])),
  );
  const fastest = PEERS.reduce((one, other) => (samples[other].median < samples[one].median ? other : one));
  const row = fasterThan({
    what: `${encoding}: the same ${SHORT} characters again and again, each time`,
    peerName: fastest,
    ours: samples.ours,
    peer: samples[fastest],
  });
  return { ...row, numbers: { ...row.numbers, samples } };
}

/** A text on which packages differ. That ours are OpenAI's counts is what `cargo xtask test` proves. */
function disputed(encoding, what, text, counts) {
  const { ours, ...peers } = Object.fromEntries(Object.entries(counts).map(([who, count]) => [who, count(text)]));
  const wrong = PEERS.filter((who) => peers[who] !== ours);
  return {
    what: `${encoding}: ${what}`,
    ours: `${ours} tokens`,
    peer: PEERS.map((who) => `${who}: ${peers[who]}`).join(', '),
    ratio: wrong.length === 0 ? '-' : `wrong: ${wrong.join(', ')}`,
    target: '-',
    verdict: '-',
    numbers: { text, ours, ...peers },
  };
}

function endless(encoding, count) {
  const runs = 5;
  const samples = Array.from({ length: runs }, (_, run) => {
    const text = letters(run + 1, PIECE);
    const begun = process.hrtime.bigint();
    if (count(text) < PIECE / 128) throw new Error('too few tokens');
    return Number(process.hrtime.bigint() - begun) / 1e6;
  });
  return withinTime({ what: `${encoding}: one piece of 10 MB without a space`, ours: summarize(samples) });
}

/** A megabyte of one unit, beside as much prose that was counted before. */
function run(encoding, unit, prose, count) {
  const text = flat(unit.repeat(Math.ceil(prose.length / unit.length)).slice(0, prose.length));
  const timed = (text) => () => {
    const begun = process.hrtime.bigint();
    if (count(text) < text.length / 128) throw new Error('too few tokens');
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
  const { ours, peer } = alternate(RUN, { ours: timed(text), peer: timed(prose) });
  const what = `${encoding}: ${JSON.stringify(unit)} again and again, ${Math.round(text.length / 1000)} KB`;
  return timesItsTime({ what, peerName: 'prose', ours, peer, atMost: MOST_TIMES });
}

/** The first count of a process, beside the first count of words, which has the wasm of hooks and no vocabulary. */
function firsts(fixture) {
  const folder = fixture.repository('exact-tokens');
  const start = (entry) => JSON.parse(runNode([fixture.script('start.cjs'), entry, 'countTokens'], folder)).called;
  return ENCODINGS.slice(0, 1).map((encoding) => {
    const { ours, peer } = alternate(
      { rounds: FIRST, warmups: 3 },
      { ours: () => start('milepost/exact-tokens'), peer: () => start('milepost') },
    );
    const what = `${encoding}: require and a first count in a fresh process`;
    return addedTo({ what, peerName: "a first countTokens of 'milepost'", ours, peer });
  });
}

/** The wasm's memory once a vocabulary is loaded. */
function memory(fixture) {
  const folder = fixture.repository('exact-tokens-memory');
  return [['o200k'], ['cl100k'], ENCODINGS].map((encodings) => {
    const bytes = Number(runNode([fixture.script('exact-tokens-memory.cjs'), ...encodings], folder));
    return withinSize({ what: `memory of the wasm with ${encodings.join(' and ')}`, bytes });
  });
}

/** Slices of each kind: what packages have as text and as code, and what is made by chance. */
function corpora(folder) {
  const count = UNSEEN.rounds + UNSEEN.warmups;
  const made = (piece) => Array.from({ length: count }, (_, at) => filled(at + 1, piece));
  return {
    prose: slicesOf(folder, /\.md$|^licen[cs]e/i, count),
    code: slicesOf(folder, /\.(js|cjs|mjs|ts|cc|cpp|h)$/, count),
    CJK: made(ideographs),
    emoji: made(emoji),
  };
}

/** So many slices of the files of these names, each file once, in an order that mixes packages. */
function slicesOf(folder, names, count) {
  const seen = new Set();
  const random = numbers(7);
  const files = fs
    .readdirSync(fs.realpathSync(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.name.includes('.min.'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    // The packages that are compared have their ranks as code.
    .filter((file) => !PEERS.some((peer) => file.includes(`/node_modules/${peer}/`)))
    .sort()
    .map((file) => ({ file, at: random() }))
    .sort((one, other) => one.at - other.at);
  let text = '';
  for (const { file } of files) {
    const content = fs.readFileSync(file, 'utf8');
    if (content.length > SLICE || seen.has(content)) continue;
    seen.add(content);
    text += content;
    if (text.length >= count * SLICE) break;
  }
  const length = Math.min(SLICE, Math.floor(text.length / count));
  return Array.from({ length: count }, (_, at) => flat(text.slice(at * length, (at + 1) * length)));
}

function filled(seed, piece) {
  const random = numbers(seed);
  let text = '';
  while (text.length < SLICE) text += piece(random);
  return flat(text);
}

/** Words of ideographs and kana, by how often the commonest ones come, with punctuation. */
function ideographs(random) {
  const length = 2 + (random() % 12);
  const one = () => {
    const drawn = random() % 100;
    if (drawn < 25) return 0x3041 + (random() % 83);
    if (drawn < 30) return 0x30a1 + (random() % 83);
    // The square brings lower numbers more often.
    return 0x4e00 + Math.floor(((random() % 5000) * (random() % 5000)) / 1300);
  };
  return String.fromCodePoint(...Array.from({ length }, one)) + '、。，！\n'[random() % 5];
}

/** Emoji of all kinds between words. */
function emoji(random) {
  const face = () => String.fromCodePoint(0x1f300 + (random() % 0x3ff));
  switch (random() % 6) {
    case 0:
      return face() + String.fromCodePoint(0x1f3fb + (random() % 5));
    case 1:
      return `${face()}\u200d${face()}`;
    case 2:
      return String.fromCodePoint(0x1f1e6 + (random() % 26), 0x1f1e6 + (random() % 26));
    case 3:
      return ` ${letters(random(), 2 + (random() % 7))} `;
    case 4:
      return `${String.fromCodePoint(0x2600 + (random() % 0xff))}\ufe0f`;
    default:
      return face().repeat(1 + (random() % 3));
  }
}

function letters(seed, length) {
  const random = numbers(seed || 1);
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = 97 + ((random() >>> 7) % 26);
  return bytes.toString('latin1');
}

/** Numbers by chance: xorshift of 32 bits. */
function numbers(seed) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Through a buffer: a text glued from pieces would be flattened inside the first measurement. */
function flat(text) {
  return Buffer.from(text).toString();
}
