// Timing of contestants against each other, and what is said about the samples.

import { spawnSync } from 'node:child_process';

/**
 * Times contestants in turn, so that a machine that slows down slows all of them down. The order
 * rotates: nobody always runs right after the same other one.
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
 * @typedef {{median: number, low: number, high: number, runs: number}} Sample `low` and `high`
 *   bound the interquartile range; all in milliseconds
 */

/** @param {number[]} samples @returns {Sample} */
export function summarize(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
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
 * @returns {string}
 */
export function runProgram(program, args, folder) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? status}\n${stderr}`);
  }
  return stdout;
}

/** @param {string[]} args @param {string} folder @returns {string} */
export function runNode(args, folder) {
  return runProgram(process.execPath, args, folder);
}

// An inherited root or preload would send contestants elsewhere, a module path would slow the
// search for modules.
function environment() {
  const { GIT_ROOT, NODE_OPTIONS, NODE_PATH, ...rest } = process.env;
  return rest;
}
