// The native program, whole processes: an agent's hook against the plain script on Node and against a C program that
// makes the same system calls, and the command line against that on Node.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode, runProgram } from '../measure.mjs';
import { skipped, timesItsTime, withinSize, withinTime } from '../report.mjs';
import { edit } from './agents.mjs';
import { withOthers } from './many.mjs';
import { change, workTree } from './sessions.mjs';

export const name = 'native';
const PLAN = { rounds: 41, warmups: 5 };
const MANY = 10_000;
const FILES = 50_000;
const AGENT = 'claude-code';
const UPDATE = ['phase', 'implement', 'implementation', 'in_progress', '--modified', 'src/lib.rs'];
const CREATE = ['create', '--reason', 'handoff'];
const MOST_BYTES = 4 * 1024 ** 2;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const native = process.env.MILEPOST_NATIVE;
  if (!native) return [skipped('the native program', 'MILEPOST_NATIVE names no program')];
  return [
    ...hooks(fixture, native),
    ...commands(fixture, native),
    snapshot(fixture, native),
    withinSize({ what: 'milepost, stripped', bytes: fs.statSync(native).size, atMost: MOST_BYTES }),
  ];
}

function hooks(fixture, native) {
  const [root, durable, nothing, alike] = ['hook', 'plain', 'nothing', 'alike'].map((it) => fixture.repository(`native-${it}`));
  const hook = (at, payload) => void runProgram(native, ['hook', AGENT], at, payload);
  hook(root, edit(root, 'first'));
  const plain = fixture.plain('durable-checkpoint-manager.cjs');
  const calls = compiled(fixture, 'same-calls');
  if (calls) runProgram(calls, ['prepare'], alike);
  const samples = alternate(PLAN, {
    ours: (round) => hook(root, edit(root, `file-${round}`)),
    plain: () => void runNode([fixture.script('hook.cjs'), plain], durable),
    nothing: () => hook(nothing, edit(nothing, 'first').replace('"Edit"', '"Read"')),
    bare: () => void runNode(['-e', '0'], nothing),
    ...(calls && { calls: (round) => void runProgram(calls, [String(round)], alike, edit(alike, `file-${round}`)) }),
  });
  expectListed(root, PLAN.rounds + PLAN.warmups + 1);
  const what = 'native hook of Claude Code: an Edit of a new file';
  return [
    timesItsTime({ what, peerName: 'plain JS, durable', ours: samples.ours, peer: samples.plain, atMost: 0.35 }),
    calls
      ? timesItsTime({ what, peerName: 'a C program with its system calls', ours: samples.ours, peer: samples.calls, atMost: 1.6 })
      : skipped(`${what}, against C`, 'there is no compiler named cc'),
    timesItsTime({
      what: 'native hook of Claude Code: an event that means nothing',
      peerName: 'node -e 0',
      ours: samples.nothing,
      peer: samples.bare,
      atMost: 0.1,
    }),
  ];
}

/** A program of `process/`; undefined where nothing compiles it. */
function compiled(fixture, name) {
  const program = path.join(fixture.work, name);
  try {
    runProgram('cc', ['-O2', '-o', program, fixture.script(`${name}.c`)], fixture.work);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
  return program;
}

function commands(fixture, native) {
  const here = fixture.repository('native-phase');
  const there = fixture.repository('native-phase-node');
  const crowded = withOthers(fixture, MANY);
  const onNode = (root, words) => () => void runNode([fixture.commandLine, ...words], root);
  const ours = (root, words) => () => void runProgram(native, words, root);
  const samples = alternate(PLAN, {
    phase: ours(here, UPDATE),
    phaseOnNode: onNode(there, UPDATE),
    status: ours(crowded, ['status', '--all']),
    statusOnNode: onNode(crowded, ['status', '--all']),
  });
  const against = (what, peerName, of, peer, atMost) => timesItsTime({ what, peerName, ours: of, peer, atMost });
  return [
    against('milepost phase, native, whole process', 'the same on Node', samples.phase, samples.phaseOnNode, 0.25),
    against(`status with ${MANY} checkpoints, native, whole process`, 'the same on Node', samples.status, samples.statusOnNode, 0.4),
    version(fixture, native, here),
  ];
}

/** Started by a small program: to start anything takes Node itself most of what is allowed here. */
function version(fixture, native, root) {
  const what = 'milepost version, native, start to exit';
  const starter = compiled(fixture, 'start-to-exit');
  if (!starter) return skipped(what, 'there is no compiler named cc');
  const milliseconds = (...words) => Number(runProgram(starter, words, root));
  const samples = alternate(PLAN, {
    ours: () => milliseconds(native, 'version'),
    peer: () => milliseconds('/bin/true'),
  });
  return withinTime({ what, peerName: '/bin/true', ours: samples.ours, peer: samples.peer, atMost: 3 });
}

/** The second snapshot and those after it, of ten changed files each. */
function snapshot(fixture, native) {
  const root = workTree(fixture, 'native-snapshot', FILES);
  const changed = (label, program, words) => (round) => {
    change(root, `${label} ${round}`);
    const begun = process.hrtime.bigint();
    runProgram(program, words, root);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
  const samples = alternate(PLAN, {
    ours: changed('ours', native, CREATE),
    git: changed('git', 'git', ['status', '--porcelain']),
  });
  return timesItsTime({
    what: `a snapshot of ${FILES} files, native, whole process`,
    peerName: 'git status',
    ours: samples.ours,
    peer: samples.git,
    atMost: 1.2,
  });
}

function expectListed(root, count) {
  const file = path.join(root, '.claude/state/implement-checkpoint.json');
  const { phases } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const { files_created: created = [], files_modified: modified = [] } = phases.work;
  if (created.length + modified.length !== count) throw new Error(`${count} files were written, and others are listed`);
}
