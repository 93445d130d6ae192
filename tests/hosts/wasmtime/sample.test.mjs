// A seeded sample of what users do, on both command lines: short runs of calls, with hand edits and
// commits of others between them. Standard output, standard error, exit codes and every file are
// compared after each call.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { IS_FULL_RANGE } from '../environment.mjs';
import { files, folder, onNode, onWasmtime, repository, steady } from './fixture.mjs';

const SCENARIOS = IS_FULL_RANGE ? 200 : 30;
/** `MILEPOST_SAMPLE_SEED` replays or widens the sample. */
const SEED = Number(process.env.MILEPOST_SAMPLE_SEED ?? 1);

const COMMANDS = ['start', 'design', 'implement', 'ship', 'deploy'];
const PHASES = ['research', 'build', '__proto__', '10', 'ä b', '', 'a\nb'];
const STATUSES = ['pending', 'in_progress', 'complete', 'failed', 'skipped', 'done'];
const TEXTS = ['Done.', '', 'naïve “quotes” 日本語 🙂', '\u001b[31mred\u202e', 'word '.repeat(501), '-'];
const FEATURES = ['dark-mode', 'Dark-Mode', '../up', 'con', 'checkpoint'];
const DOCUMENTS = [
  '{"phases":{"a":{"status":"pending"}},"unknown":1e400,"__proto__":{"10":1,"2":-0}}',
  '{"version":2}',
  '{"command":"review"}',
  '{"gate":{"ship_allowed":true,"blockers":[]},"phases":{}}',
  '{"phases":{"a":{"status":"done"}},"state":3}',
  '\ufeff{"note":"\\ud800","note":1}',
  '[]',
  '{',
  '',
];

/** mulberry32: numbers from a seed, the same in every engine. */
function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One call: its words and what it reads. */
function call(random) {
  const one = (list) => list[random(list.length)];
  const some = (...words) => (random(3) === 0 ? words : []);
  const command = random(12) === 0 ? 'deploy' : one(COMMANDS.slice(0, 3));
  const on = [command, ...(random(5) === 0 ? ['--feature', one(FEATURES)] : []), ...some('--json')];
  const input = one(DOCUMENTS);
  switch (random(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
      const more = [
        ...some(`--summary=${one(TEXTS)}`),
        ...some('--created', 'src/a.rs', '--modified', 'b c.rs'),
        ...some('--error', 'no luck'),
        ...some('--task', 'T-1'),
      ];
      const phase = random(4) === 0 ? one(PHASES) : one(PHASES.slice(0, 2));
      const status = random(12) === 0 ? 'done' : one(STATUSES);
      return { words: ['phase', command, phase, status, ...on.slice(1), ...more], input };
    }
    case 5:
    case 6:
      return { words: ['save', ...on, '-'], input };
    case 7:
      return { words: [one(['resume', 'show', 'gate', 'complete']), ...on], input: '' };
    case 8:
      return { words: [one(['log', 'diff']), ...on, ...some('1', '2')], input: '' };
    case 14:
      return { words: [one(['undo', 'undo', 'redo', 'recover']), ...on, ...some('--to', '1')], input: '' };
    case 15:
      return { words: [one(['trim', 'show']), ...on, ...some('--revision', '1')], input: '' };
    case 9:
      return { words: [one(['status', 'resume', 'init']), ...some('--json')], input: '' };
    case 10:
      return { words: ['tokens', '-', ...some('--limit', '2')], input: one(TEXTS) };
    case 11:
      return { words: ['handoff', 'check', '-', ...some('--response')], input };
    case 12:
      return { words: ['validate', one(['document.json', 'missing.json'])], input: '' };
    default:
      return { words: [one(['fly', 'phase', 'show', '--no', 'help']), ...some('design')], input: '' };
  }
}

/** The acts of others on the two folders before a call. */
function interfere(random, roots) {
  switch (random(8)) {
    case 0:
      for (const root of roots) fs.writeFileSync(path.join(root, '.git/HEAD'), `${'5'.repeat(40)}\n`);
      return;
    case 1: {
      const edit = random(3);
      for (const root of roots) {
        const file = path.join(root, '.claude/state/design-checkpoint.json');
        if (!fs.existsSync(file)) continue;
        const text = fs.readFileSync(file, 'utf8');
        const edited = [text.slice(0, 40), text.replace('{', '{"by_hand":1.0,'), ''][edit];
        fs.writeFileSync(file, edited);
      }
    }
  }
}

test('both command lines answer a sample alike, and leave the same bytes', async (t) => {
  const template = repository(t);
  for (let number = 0; number < SCENARIOS; number++) {
    await t.test(`scenario ${number} of seed ${SEED}`, (t) => {
      const random = numbers(SEED * 100_003 + number);
      const roots = [folder(t), folder(t)];
      for (const root of roots) {
        fs.cpSync(template, root, { recursive: true });
        fs.writeFileSync(path.join(root, 'document.json'), DOCUMENTS[number % DOCUMENTS.length]);
      }
      const calls = Array.from({ length: 1 + random(3) }, () => call(random));
      for (const { words, input } of calls) {
        interfere(random, roots);
        const [expected, actual] = [onNode(roots[0], words, { input }), onWasmtime(roots[1], words, { input })];
        const shown = JSON.stringify({ words, input });
        for (const stream of ['out', 'error']) {
          assert.equal(steady(actual[stream]), steady(expected[stream]), `${stream} of ${shown}`);
        }
        assert.equal(actual.code, expected.code, `exit code of ${shown}`);
        assert.deepEqual(files(roots[1]), files(roots[0]), `files after ${shown}`);
      }
    });
  }
});

test('the sample reaches commits, refusals and warnings', () => {
  const words = new Set();
  for (let number = 0; number < SCENARIOS; number++) {
    const random = numbers(SEED * 100_003 + number);
    for (let count = 0; count < 3; count++) words.add(call(random).words[0]);
  }
  for (const word of ['phase', 'save', 'resume', 'show', 'gate', 'complete', 'log', 'diff', 'undo', 'redo', 'recover', 'trim', 'fly']) {
    assert.ok(words.has(word), word);
  }
});
