// The cost of a hook's process, in numbers that do not depend on what else the machine does: what V8
// compiles of the wasm, and instructions in user mode.
//
//   node benches/cost.mjs --project DIR [--valgrind FILE]
//
// Prints one line of JSON, for the guard of `cargo xtask test`; the row `instructions` has the same
// numbers beside those of the peers.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { openFixture } from './fixture.mjs';
import { outputOf, runNode } from './measure.mjs';

/** Enough for a checkpoint with a history, and folders that are there. */
const WARMUPS = 3;
/** Garbage is collected and functions are optimised now and then: the least is taken. */
const COUNTS = 3;

/**
 * @typedef {object} Cost
 * @property {number} bytes of the bodies of all functions that V8 compiled
 * @property {number} functions how many those are
 */

/**
 * The bytes that V8's first compiler makes of the wasm in one process, the least of some runs; it
 * compiles a function when it is first called.
 *
 * @param {string[]} args of node
 * @param {string} folder the working directory
 * @returns {Cost}
 */
export function compiled(args, folder) {
  const words = ['--trace-wasm-compilation-times', ...args];
  const costs = Array.from({ length: COUNTS }, () =>
    compiledIn(outputOf(process.execPath, words, folder).stdout),
  );
  return costs.reduce((least, cost) => (cost.bytes < least.bytes ? cost : least));
}

/** @param {string} trace of V8 @returns {Cost} */
export function compiledIn(trace) {
  const bodies = new Map();
  for (const [, function_, compiler, bytes] of trace.matchAll(LINE)) {
    if (compiler === 'Liftoff') bodies.set(function_, Number(bytes));
  }
  if (bodies.size === 0) throw new Error(`V8 named no compiled function:\n${trace.slice(0, 500)}`);
  return { bytes: [...bodies.values()].reduce((sum, bytes) => sum + bytes, 0), functions: bodies.size };
}

const LINE = /Compiled function (\S+) using (\w+), took \d+ ms and \d+ bytes; bodysize (\d+)/g;

/**
 * Instructions in user mode of one process, the least of some runs, as callgrind counts them. All
 * threads count: what V8 compiles beside the program is work too.
 *
 * @param {string} valgrind
 * @param {string[]} args of node
 * @param {string} folder the working directory
 * @returns {number}
 */
export function instructions(valgrind, args, folder) {
  const scrap = path.join(os.tmpdir(), `milepost-callgrind-${process.pid}`);
  // V8 writes code where code was: without this, an old translation of it may run.
  const words = ['--tool=callgrind', `--callgrind-out-file=${scrap}`, '--smc-check=all-non-file'];
  const counts = Array.from({ length: COUNTS }, () => {
    const { stderr } = outputOf(valgrind, [...words, process.execPath, ...args], folder);
    return instructionsIn(stderr);
  });
  fs.rmSync(scrap, { force: true });
  return Math.min(...counts);
}

/** @param {string} report of callgrind @returns {number} */
export function instructionsIn(report) {
  const found = /Collected : (\d+)/.exec(report);
  if (found === null) throw new Error(`callgrind counted nothing:\n${report.slice(-500)}`);
  return Number(found[1]);
}

/**
 * A hook as the user's script calls it, in a repository where it has run before.
 *
 * @param {import('./fixture.mjs').Fixture} fixture
 * @param {string} implementation what it requires
 * @param {string} name of the repository
 * @returns {{args: string[], folder: string}}
 */
export function hook(fixture, implementation, name) {
  const folder = fixture.repository(name);
  const args = [fixture.script('hook.cjs'), implementation];
  for (let run = 0; run < WARMUPS; run++) runNode(args, folder);
  return { args, folder };
}

/** @param {import('./fixture.mjs').Fixture} fixture @param {string} [valgrind] */
export function costOfHook(fixture, valgrind) {
  const { args, folder } = hook(fixture, fixture.require.resolve('milepost'), 'cost-file');
  const { bytes, functions } = compiled(args, folder);
  if (!valgrind) return { bytes, functions };
  const empty = instructions(valgrind, [fixture.script('empty.cjs')], folder);
  return { bytes, functions, empty, instructions: instructions(valgrind, args, folder) - empty };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { project: text, valgrind: text } });
  const fixture = openFixture(path.resolve(values.project));
  try {
    console.log(JSON.stringify(costOfHook(fixture, values.valgrind)));
  } finally {
    fixture.clear();
  }
}
