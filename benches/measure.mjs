// Timing of contestants against each other, and what is said about the samples.

import { spawnSync } from 'node:child_process';

/** Ten thousand checkpoints take a line each. */
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Times contestants in turn, so that a machine that slows down slows all of them down. The order
 * rotates: none always runs right after the same other one.
 *
 * @param {{rounds: number, warmups: number}} plan warm-up rounds are run and not counted
 * @param {Record<string, (round: number) => number | void>} contestants one that times itself
 *   returns its milliseconds; the others are timed from outside
 * @returns {Record<string, Sample>}
 */
export function alternate({ rounds, warmups }, contestants) {
  const names = Object.keys(contestants);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmups; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmups) % names.length];
      const begun = process.hrtime.bigint();
      const own = contestants[name](round);
      const ms = own ?? Number(process.hrtime.bigint() - begun) / 1e6;
      if (round >= 0) samples[name].push(ms);
    }
  }
  return Object.fromEntries(names.map((name) => [name, summarize(samples[name])]));
}

/**
 * @typedef {{median: number, low: number, high: number, least: number, runs: number}} Sample `low`
 *   and `high` bound the interquartile range; all in milliseconds
 */

/** @param {number[]} samples @returns {Sample} */
export function summarize(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    least: sorted[0],
    runs: sorted.length,
  };
}

/** @param {number[]} sorted @param {number} share from 0 to 1 @returns {number} */
export function quantile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/**
 * Runs a program to its end and returns what it printed. A contestant that fails would be measured
 * doing nothing, so a failure stops the bench.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder the working directory
 * @param {string} [input] on its standard input
 * @returns {string}
 */
export function runProgram(program, args, folder, input) {
  return outputOf(program, args, folder, input).stdout;
}

/**
 * Runs a program likewise, and returns both streams.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder the working directory
 * @param {string} [input] on its standard input
 * @returns {{stdout: string, stderr: string}}
 */
export function outputOf(program, args, folder, input = '') {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    input,
    env: environment(),
    encoding: 'utf8',
    maxBuffer: LARGEST_OUTPUT,
  });
  if (error) throw error;
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? status}\n${stderr}`);
  }
  return { stdout, stderr };
}

/** @param {string[]} args @param {string} folder @returns {string} */
export function runNode(args, folder) {
  return runProgram(process.execPath, args, folder);
}

/**
 * Variables that a user's process has by chance and would be timed with: an inherited root or preload sends
 * contestants elsewhere, a module path slows the search for modules, a cache or a recorder changes
 * what is compiled, and reading a bundle of certificates takes Node (and Bun, and Deno) longer than
 * everything else at its start.
 */
const LEFT_OUT = [
  'GIT_ROOT',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_COMPILE_CACHE',
  'NODE_V8_COVERAGE',
  'NODE_EXTRA_CA_CERTS',
  'DENO_CERT',
];

/** @returns {NodeJS.ProcessEnv} that of every process that is timed or counted */
export function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !LEFT_OUT.includes(name));
  return Object.fromEntries(kept);
}
