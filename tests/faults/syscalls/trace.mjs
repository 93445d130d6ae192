// A program under strace: the calls that it made below a folder, and a fault at one of them.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Far longer than any update takes, in ms: what is not over by then hangs. */
const LIMIT_MS = 120_000;

/**
 * @typedef {object} Program
 * @property {string} command
 * @property {string[]} words
 * @property {(line: string) => boolean} begins whether the subject begins after this call
 *
 * @typedef {object} Call
 * @property {string} name of the system call
 * @property {number} number which one of this name it is, from 1, since the program began
 * @property {string} shape what it is about, alike in every run
 * @property {number} nth which one of this shape it is, from 0
 */

/**
 * Every call on a path or a descriptor below `root`, in their order.
 *
 * @param {Program} program
 * @param {string} root
 * @param {string} folder for the trace
 * @returns {Promise<{calls: Call[], ended: Ended}>}
 */
export async function calls(program, root, folder) {
  const ended = await run(program, folder, ['--seccomp-bpf', '-e', 'trace=%file,%desc']);
  const [first = [], ...others] = ended.threads;
  const begin = first.findIndex(program.begins);
  if (begin < 0) throw new Error(`the update never began:\n${ended.error}`);
  const stray = others.flat().find((line) => isBelow(line, root));
  // A fault is counted for each thread.
  if (stray !== undefined) throw new Error(`more than one thread works below the root: ${stray}`);
  const counts = new Map();
  const found = [];
  for (const [at, line] of first.entries()) {
    const name = nameOf(line);
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    if (at <= begin || !isBelow(line, root)) continue;
    const shape = shapeOf(line, root);
    const nth = found.filter((other) => other.shape === shape).length;
    found.push({ name, number, shape, nth });
  }
  return { calls: found, ended };
}

/**
 * Runs the program with a fault at one call; whether it was that very call that the fault hit. Where
 * it was not, `number` is the number that the call had in this run, if it came to that.
 *
 * @param {Program} program
 * @param {string} root
 * @param {string} folder for the trace
 * @param {Call} call
 * @param {string} fault `KILL`, or the name of an error
 * @returns {Promise<{hit: boolean, number?: number, ended: Ended}>}
 */
export async function inject(program, root, folder, { name, number, shape, nth }, fault) {
  const killed = fault === 'KILL';
  const how = killed ? 'signal=KILL' : `error=${fault}`;
  const ended = await run(program, folder, [
    // A process that stops for seccomp takes no signal there.
    ...(killed ? [] : ['--seccomp-bpf']),
    '-e',
    `trace=execve,${name}`,
    '-e',
    `inject=${name}:${how}:when=${number}`,
  ]);
  const [first, ...others] = ended.threads;
  const made = (first ?? []).filter((line) => nameOf(line) === name);
  const alike = made.flatMap((line, at) => (shapeOf(line, root) === shape ? [at + 1] : []));
  const line = made[number - 1];
  const isInjected = (line) => line.endsWith('(INJECTED)');
  const isHit = killed
    ? ended.signal === 'SIGKILL' && made.length === number
    : isInjected(line ?? '') && [...made, ...others.flat()].filter(isInjected).length === 1;
  const hit = isHit && alike[nth] === number;
  return { hit, number: alike[nth], ended };
}

/**
 * @typedef {object} Ended
 * @property {number | null} code
 * @property {string | null} signal
 * @property {boolean} hung
 * @property {string} out
 * @property {string} error
 * @property {string[][]} threads the lines of each thread's trace, the first thread's first
 */

/** @returns {Promise<Ended>} */
async function run({ command, words }, folder, options) {
  // A file for each thread, so that no line is cut in two by another thread's.
  const trace = ['-ff', '-o', path.join(folder, 'trace'), '-y', '-qq', ...options];
  const child = spawn('strace', [...trace, '--', command, ...words], {
    // Its own group: strace and what it traces end together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  const [out, error, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...how) => resolve(how));
    }),
  ]);
  clearTimeout(limit);
  return { code, signal, hung, out, error, threads: threads(folder) };
}

async function text(stream) {
  let all = '';
  for await (const part of stream.setEncoding('utf8')) all += part;
  return all;
}

/** Returns the calls of each thread; the thread that started the program comes first. */
function threads(folder) {
  const files = fs.readdirSync(folder).filter((name) => name.startsWith('trace.'));
  const threads = files.map((name) => {
    const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n');
    return lines.filter((line) => /^\w+\(/.test(line));
  });
  const isFirst = ([line]) => line?.startsWith('execve(') ?? false;
  return [...threads.filter(isFirst), ...threads.filter((thread) => !isFirst(thread))];
}

function nameOf(line) {
  return line.slice(0, line.indexOf('('));
}

function isBelow(line, root) {
  return line.includes(`${root}/`) || line.includes(`<${root}>`);
}

/** The name of the call and its paths, without what is random and what it returned. */
function shapeOf(line, root) {
  const name = nameOf(line);
  const given = line.replace(/( <unfinished \.\.\.>)?\) += [^]*$/, '');
  // Bytes that were read are no part of the question.
  const parts = given.match(/^p?(read|write)/.test(name) ? /<[^>]*>/g : /"[^"]*"|<[^>]*>/g) ?? [];
  const steady = parts.join(' ').replaceAll(root, 'ROOT').replaceAll(/[0-9a-f]{32}|\d+/g, '#');
  return `${name} ${steady}`;
}
