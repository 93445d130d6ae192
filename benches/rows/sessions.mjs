// Snapshots: what differs from HEAD, kept, against what git takes to tell it and to make a
// commit of it; and a list of thousands.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode, runProgram } from '../measure.mjs';
import { classify, kilobytes, rounded, skipped, timesItsTime, withinTime } from '../report.mjs';
import { prose } from '../sample.mjs';

export const name = 'sessions';
const CHANGED = 10;
/** Every process of the component starts and ends, which is subtracted. */
const ON_WASMTIME = ['--allow-precompiled', '--dir', '.'];
const CREATE = ['create', '--reason', 'handoff'];
const FOLDER = '.claude/checkpoints';
const FEW = 10;
const MANY = 10_000;
/** A quarter of a gigabyte: compressing a whole one takes minutes, and pieces of it come and go. */
const LARGE = 16;
const LARGE_MIB = 16;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const { openSnapshots } = fixture.require('milepost/snapshots');
  return [
    ...snapshots(fixture, openSnapshots, {
      files: 2_000,
      plan: { rounds: 30, warmups: 5 },
      peerName: 'git status, git stash create',
      peer: [['status', '--porcelain'], ['stash', 'create']],
      limits: { node: 3, wasmtime: 2 },
    }),
    ...snapshots(fixture, openSnapshots, {
      files: 50_000,
      plan: { rounds: 12, warmups: 2 },
      peerName: 'git status',
      peer: [['status', '--porcelain']],
      limits: { node: 4, wasmtime: 8 },
    }),
    ...many(fixture, openSnapshots),
    memory(fixture),
  ];
}

/**
 * By default git syncs no object that it makes; what waits for the disk is compared with a git that
 * waits as well.
 */
const CAREFUL = ['-c', 'core.fsync=all'];

function snapshots(fixture, openSnapshots, { files, plan, peerName, peer, limits }) {
  const root = workTree(fixture, `sessions-${files}`, files);
  const create = (durability) => {
    const sessions = openSnapshots({ root, durability });
    return () => sessions.create({ reason: 'handoff' });
  };
  const git = (...flags) => () => peer.forEach((words) => runProgram('git', [...flags, ...words], root));
  const actions = {
    git: git(),
    careful: git(...CAREFUL),
    lazy: create('lazy'),
    durable: create('durable'),
  };
  const wasmtime = process.env.MILEPOST_WASMTIME;
  if (wasmtime) {
    const compiled = path.join(root, '..', `sessions-${files}.cwasm`);
    runProgram(wasmtime, ['compile', '-o', compiled, given('MILEPOST_COMPONENT')], root);
    const run = (words) => runProgram(wasmtime, ['run', ...ON_WASMTIME, compiled, ...words], root);
    actions.wasmtime = () => run(CREATE);
    actions.start = () => run(['version']);
  }
  const contestants = Object.entries(actions).map(([name, action]) => {
    return [name, (round) => timed((at) => change(root, `${name} ${at}`), round, action)];
  });
  const samples = alternate(plan, Object.fromEntries(contestants));
  const what = `snapshot of ${files} files, ${CHANGED} changed`;
  const row = (host, ours, beside, atMost) => {
    const names = { git: peerName, careful: `${peerName}, synced` };
    const shown = { what: `${what}, ${host}`, peerName: names[beside], ours };
    return timesItsTime({ ...shown, peer: samples[beside], atMost });
  };
  return [
    row('in process on Node, without fsync', samples.lazy, 'git', limits.node),
    row('in process on Node', samples.durable, 'careful', limits.node),
    wasmtime
      ? row('on wasmtime without its start', less(samples), 'careful', limits.wasmtime)
      : skipped(`${what}, on wasmtime`, 'MILEPOST_WASMTIME names no program'),
  ];
}

/** Without what a process takes that does nothing. */
function less({ wasmtime, start }) {
  const take = (name) => Math.max(0, wasmtime[name] - start.median);
  return { ...wasmtime, median: take('median'), low: take('low'), high: take('high'), least: take('least') };
}

function timed(before, round, action) {
  before(round);
  const begun = process.hrtime.bigint();
  action();
  return Number(process.hrtime.bigint() - begun) / 1e6;
}

/** Files in folders of 25, which git has examined after they were no longer new. */
export function workTree(fixture, name, files) {
  const root = fixture.repository(name);
  const text = prose(60_000);
  for (let at = 0; at < files; at++) {
    const folder = path.join(root, `src/${Math.floor(at / 250)}/${Math.floor(at / 25) % 10}`);
    if (at % 25 === 0) fs.mkdirSync(folder, { recursive: true });
    const begin = (at * 37) % 50_000;
    fs.writeFileSync(path.join(folder, `file-${at}.txt`), text.slice(begin, begin + 500 + (at % 7) * 700));
    // As old as files of a project are: git reads what was written in the second that it looks.
    fs.utimesSync(path.join(folder, `file-${at}.txt`), 1_700_000_000, 1_700_000_000);
  }
  fs.writeFileSync(path.join(root, '.gitignore'), 'target/\n*.log\n.claude/\n');
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  runProgram('git', ['config', 'user.name', 'bench'], root);
  runProgram('git', ['config', 'user.email', 'bench@localhost'], root);
  runProgram('git', ['add', '.'], root);
  const commit = ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'files'];
  runProgram('git', [...identity, ...commit], root);
  return root;
}

/** Each round finds other contents: what was kept before is not kept again. */
export function change(root, round, count = CHANGED) {
  for (let at = 0; at < count; at++) {
    const file = path.join(root, `src/0/${at}/file-${at * 25}.txt`);
    fs.writeFileSync(file, `${prose(2_000 + at)}\n${round} ${at}\n`);
  }
}

/** A list of thousands, and one more of them. */
function many(fixture, openSnapshots) {
  const [few, most] = [FEW, MANY].map((count) => {
    const root = workTree(fixture, `sessions-many-${count}`, 25 * CHANGED);
    fs.mkdirSync(path.join(root, '.claude/config'), { recursive: true });
    const keep = { sessions: { keep: 100_000 } };
    fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), JSON.stringify(keep));
    fill(openSnapshots, root, count);
    return { root, sessions: openSnapshots({ root, durability: 'lazy' }) };
  });
  const plan = { rounds: 20, warmups: 5 };
  const create = ({ root, sessions }) => (round) =>
    timed((at) => change(root, at), round, () => sessions.create({ reason: 'handoff' }));
  const samples = alternate(plan, {
    list: () => void most.sessions.list(),
    many: create(most),
    few: create(few),
  });
  const listed = most.sessions.list().length;
  if (listed !== MANY + plan.rounds + plan.warmups) throw new Error(`${listed} are listed`);
  return [
    withinTime({ what: `list of ${MANY} snapshots, in process`, ours: samples.list, atMost: 300 }),
    timesItsTime({
      what: `create beside ${MANY} snapshots, in process`,
      peerName: `beside ${FEW}`,
      ours: samples.many,
      peer: samples.few,
      atMost: 1.25,
    }),
  ];
}

/** Checkpoints as they are made, of many a second each, some time ago. */
function fill(openSnapshots, root, count) {
  const sessions = openSnapshots({ root, durability: 'lazy' });
  const { id } = sessions.create({ reason: 'handoff', message: 'before lunch' });
  const text = fs.readFileSync(path.join(root, FOLDER, `${id}.yaml`), 'utf8');
  fs.rmSync(path.join(root, FOLDER, `${id}.yaml`));
  for (let at = 0; at < count; at++) {
    const time = new Date(1_735_689_600_000 + at * 60_000).toISOString();
    const own = `chk-${time.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;
    const file = path.join(root, FOLDER, `${own}.yaml`);
    fs.writeFileSync(file, text.replaceAll(id, own));
    fs.utimesSync(file, 1_736_000_000, 1_736_000_000);
  }
}

/** The most that is resident, with a gigabyte of changed files and without. */
function memory(fixture) {
  const root = workTree(fixture, 'sessions-large', 100);
  const script = fixture.script('snapshot.cjs');
  const base = JSON.parse(runNode([script], root)).rss;
  const block = Buffer.from(prose(1 << 20));
  for (let at = 0; at < LARGE; at++) {
    const file = fs.openSync(path.join(root, `large-${at}`), 'w');
    for (let part = 0; part < LARGE_MIB; part++) {
      block.writeUInt32LE(at * LARGE_MIB + part, 0);
      fs.writeSync(file, block);
    }
    fs.closeSync(file);
  }
  const { rss, files } = JSON.parse(runNode([script], root));
  if (files !== LARGE) throw new Error(`${files} files are kept instead of ${LARGE}`);
  const atMost = 64 * 1024 * 1024;
  return {
    what: `memory of a snapshot of ${LARGE * LARGE_MIB} MB, at most resident`,
    ours: `+${kilobytes(rss - base)}`,
    peer: `without changes: ${kilobytes(base)}`,
    ratio: `${rounded(rss / base)} times`,
    target: `at most ${kilobytes(atMost)} added`,
    verdict: classify(atMost, rss - base <= atMost),
    numbers: { rss, base, atMost },
  };
}

function given(variable) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} names no file: \`cargo xtask bench\` sets it`);
  return value;
}
