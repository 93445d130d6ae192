// Faults at every system call of one update: `run.mjs [--host NAME] [--fault NAME]`, and a table.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { mock } from 'node:test';
import { parseArgs } from 'node:util';
import { World } from '../../hosts/node/scenarios/world.mjs';
import { answerOf, HOSTS, IN_PLACE } from './hosts.mjs';
import { calls, inject } from './trace.mjs';
import { Before, makeProject, nextDocument, removeCopy, UPDATES } from './update.mjs';

const FAULTS = ['KILL', 'EIO', 'ENOSPC', 'EACCES', 'EINTR'];

/**
 * Before the update Node wakes its own threads, on a busy machine more often or less, and the fault
 * then hits another call than the one that was meant: every second time at worst.
 */
const TRIES = 50;

const { values: chosen } = parseArgs({
  options: { host: { type: 'string' }, fault: { type: 'string' } },
});

// The next writer waits for a dead one's lock: on this clock, without taking time.
new World({ mock });

const top = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'milepost-syscalls-'));
process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
let folders = 0;

/** A folder of its own for one run: the project, and the trace beside it. */
function place(project) {
  const folder = path.join(top, String(folders++));
  const root = path.join(folder, 'project');
  if (project === undefined) fs.mkdirSync(root, { recursive: true });
  else fs.cpSync(project, root, { recursive: true });
  return { folder, root };
}

/** The project before each update, made once. */
const projects = new Map();

function projectBefore(update) {
  if (!projects.has(update)) {
    const { root } = place();
    makeProject(root, UPDATES[update]);
    projects.set(update, root);
  }
  return projects.get(update);
}

/** All runs of one update on one host. */
async function plan(host, update) {
  const project = place(projectBefore(update)).root;
  // In place nothing is ever brought into history.
  if (host !== IN_PLACE) removeCopy(project);
  const next = path.join(place(project).folder, 'next.json');
  fs.writeFileSync(next, nextDocument(path.join(path.dirname(next), 'project')));

  const all = await settled(host, project, next);
  const faults = FAULTS.filter((fault) => fault === (chosen.fault ?? fault));
  return faults.flatMap((fault) =>
    all.map((call) => ({ host, update, fault, call, project, next })),
  );
}

/** The calls of one update, as two runs in a row made them: a slow one looks at its lock again. */
async function settled(host, project, next) {
  let earlier;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { folder, root } = place(project);
    const before = new Before(root);
    const { calls: found, ended } = await calls(HOSTS[host](root, next), root, folder);
    const answer = answerOf(ended);
    if (answer?.error !== undefined) throw new Error(`${host} fails: ${answer.error.message}`);
    before.check(answer, { name: 'none' }, 'none');
    if (host !== IN_PLACE) before.checkTrimmed();
    const shapes = found.map(({ shape }) => shape).join('\n');
    if (shapes === earlier) return found;
    earlier = shapes;
  }
  throw new Error(`${host} makes other calls in each run`);
}

/**
 * Runs one update with one fault: how it ended, whether the fault hit, and what is broken. Only files that are not as
 * they have to be are a proof: a busy machine may explain an update that hangs, or an answer that is missing.
 */
async function perform({ host, fault, call, project, next }) {
  let { number } = call;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { folder, root } = place(project);
    const before = new Before(root);
    const program = HOSTS[host](root, next);
    const tried = await inject(program, root, folder, { ...call, number }, fault);
    const { hit, ended } = tried;
    if (!hit && !ended.hung) {
      number = tried.number ?? call.number;
      fs.rmSync(folder, { recursive: true });
      continue;
    }
    let answer;
    let how = 'killed';
    try {
      answer = answerOf(ended);
    } catch (error) {
      return { how, hit, broken: error.message };
    }
    if (answer !== undefined) how = answer.error === undefined ? 'acknowledged' : 'refused';
    try {
      before.check(answer, call, fault);
    } catch (error) {
      return { how, hit, isProof: hit, broken: error.message };
    }
    fs.rmSync(folder, { recursive: true });
    return { how, hit };
  }
  return { how: 'missed', hit: false, broken: 'the fault never hit its call' };
}

const COLUMNS = ['calls', 'acknowledged', 'refused', 'killed', 'missed', 'broken'];

/** One line for each update, host and fault. */
class Table {
  #rows = new Map();

  add({ update, host, fault }, { how, broken }) {
    const key = `${update.padEnd(10)} ${host.padEnd(9)} ${fault.padEnd(7)}`;
    const row = this.#rows.get(key) ?? Object.fromEntries(COLUMNS.map((column) => [column, 0]));
    this.#rows.set(key, row);
    row.calls++;
    row[how]++;
    if (broken !== undefined) row.broken++;
  }

  print() {
    const line = (head, cells) =>
      `${head} ${cells.map((cell, at) => String(cell).padStart(COLUMNS[at].length + 2)).join('')}`;
    console.log(line(`${'update'.padEnd(10)} ${'host'.padEnd(9)} ${'fault'.padEnd(7)}`, COLUMNS));
    for (const [key, row] of this.#rows) console.log(line(key, Object.values(row)));
  }
}

const hosts = Object.keys(HOSTS).filter((host) => host === (chosen.host ?? host));
const runs = [];
for (const host of hosts) {
  for (const update of Object.keys(UPDATES)) {
    // In place there has to be something to destroy.
    if (host !== IN_PLACE || update !== 'first') runs.push(...(await plan(host, update)));
  }
}
if (runs.length === 0) throw new Error(`there is no ${chosen.host ?? ''} ${chosen.fault ?? ''}`);

const ended = new Array(runs.length);
let begun = 0;
async function work() {
  while (begun < runs.length) {
    const at = begun++;
    ended[at] = await perform(runs[at]);
  }
}
// Not every Node knows of a container's limit: on a large machine it may have two of its many processors.
await Promise.all(Array.from({ length: Math.min(16, 2 * os.availableParallelism()) }, work));

const table = new Table();
const broken = [];
for (const [at, run] of runs.entries()) {
  table.add(run, ended[at]);
  if (ended[at].broken !== undefined) broken.push({ ...run, ...ended[at] });
}
table.print();

const isReal = ({ host }) => host !== IN_PLACE;
for (const { host, update, fault, call, isProof, broken: what } of broken.filter(isReal)) {
  console.error(`${host}, ${update} update, ${fault} at ${call.name} ${call.number}: ${call.shape}`);
  console.error(`${isProof ? 'violated: ' : ''}${what}\n`);
}
// A fault that missed its call broke nothing that a check could have found.
const isFound = broken.some(({ host, hit }) => host === IN_PLACE && hit);
const isBlind = !isFound && hosts.includes(IN_PLACE) && chosen.fault === undefined;
if (isBlind) console.error('writing in place breaks a document, and no check found it');
const found = broken.filter(isReal).length;
console.log(`${runs.filter(isReal).length} faults, ${found} broken`);
process.exitCode = found === 0 && !isBlind ? 0 : 1;
