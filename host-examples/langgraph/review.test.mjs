// The graph is killed in mid-run, and the next process carries on.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { expect, it } from 'vitest';

const FILES = ['a.js', 'b.js', 'c.lock', 'd.js', 'e.js'];

/** A process that is killed from within, so that it says no line more however slow its reader is. */
const killedAfter = (lines) => `data:text/javascript,
  const { log } = console;
  let said = 0;
  console.log = (...words) => {
    log(...words);
    if (++said === ${lines}) process.kill(process.pid, 'SIGKILL');
  };`;

/**
 * Runs the graph, and kills it once it has said so many lines.
 *
 * @returns the lines that it said
 */
function run(folder, lines) {
  const script = path.join(import.meta.dirname, 'review.mjs');
  const before = lines ? ['--import', killedAfter(lines)] : [];
  const graph = spawn(process.execPath, [...before, script, folder, 'a thread', ...FILES], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  graph.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((done) => graph.on('close', () => done(said.trim().split('\n'))));
}

it('a killed graph carries on from its last step and loses none', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-review-'));
  const first = await run(folder, 3);
  expect(first).toEqual(['reviewing a.js', 'reviewing b.js', 'reviewing c.lock']);
  const second = await run(folder);
  expect(second).toEqual([
    'reviewing c.lock',
    'reviewing d.js',
    'reviewing e.js',
    'a.js: fine',
    'b.js: fine',
    'c.lock: skipped',
    'd.js: fine',
    'e.js: fine',
  ]);
  fs.rmSync(folder, { recursive: true });
}, 60_000);
