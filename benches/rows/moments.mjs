// The files that hooks keep before a prompt and after a turn, for rewinds: against what git takes to tell what differs,
// and to make a commit of it; and the disk that it takes.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, quantile, runProgram, summarize } from '../measure.mjs';
import { classify, kilobytes, rounded, skipped, timesItsTime } from '../report.mjs';
import { change, workTree } from './sessions.mjs';

export const name = 'moments';
const CHANGED = 10;
const PROMPTS = 1_000;
/** The row about the disk takes minutes. */
const LONG = 'MILEPOST_BENCH_LONG';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  return [
    ...prompts(fixture, {
      files: 2_000,
      plan: { rounds: 40, warmups: 5 },
      peerName: 'git stash create',
      peer: ['stash', 'create'],
      atMost: 0.5,
    }),
    ...prompts(fixture, {
      files: 50_000,
      plan: { rounds: 40, warmups: 3 },
      peerName: 'git status',
      peer: ['status', '--porcelain'],
      atMost: 0.8,
      atMost95: 1.5,
    }),
    process.env[LONG] ? disk(fixture) : skipped(`disk after ${PROMPTS} prompts`, `${LONG} is not set`),
  ];
}

/** A function that takes an event of Claude Code in this process. */
function events(fixture, root) {
  // The part that the hook loads where there are snapshots; an event is nothing that the package exports.
  const { run } = fixture.require(path.join(path.dirname(fixture.require.resolve('milepost')), 'hook-library.cjs'));
  fs.mkdirSync(path.join(root, '.claude/state'), { recursive: true });
  fs.mkdirSync(path.join(root, '.claude/config'), { recursive: true });
  fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), '{"agents":{"rewind":true}}');
  return (hook_event_name, durability = 'lazy') => {
    const place = { root, working: root, durability };
    const payload = { session_id: 's', cwd: root, hook_event_name, prompt: 'go on' };
    const reply = JSON.parse(run(JSON.stringify({ operation: 'hook', place, agent: 'claude-code', payload })));
    if (!reply.ok || reply.warnings.length > 0) throw new Error(JSON.stringify(reply));
  };
}

function timed(action) {
  const begun = process.hrtime.bigint();
  action();
  return Number(process.hrtime.bigint() - begun) / 1e6;
}

function prompts(fixture, { files, plan, peerName, peer, atMost, atMost95 }) {
  const root = workTree(fixture, `moments-${files}`, files);
  const take = events(fixture, root);
  const first = timed(() => take('UserPromptSubmit'));
  const all = [];
  const contestant = (name, action) => (round) => {
    change(root, `${name} ${round}`);
    return timed(action);
  };
  const samples = alternate(plan, {
    git: contestant('git', () => runProgram('git', peer, root)),
    lazy: contestant('lazy', () => take('UserPromptSubmit')),
    durable: contestant('durable', () => take('UserPromptSubmit', 'durable')),
  });
  for (let round = 0; round < plan.rounds; round++) {
    change(root, `more ${round}`);
    all.push(timed(() => take('UserPromptSubmit')));
  }
  expectComplete(fixture, root);
  const what = `files before a prompt kept, ${files} files, ${CHANGED} changed`;
  const against = { peerName, peer: samples.git };
  const slow = quantile([...all].sort((a, b) => a - b), 0.95);
  return [
    timesItsTime({ what: `${what}, in process, without fsync`, ours: samples.lazy, atMost, ...against }),
    timesItsTime({ what: `${what}, in process`, ours: samples.durable, ...against }),
    timesItsTime({ what: `${what}, of 20 the slowest`, ours: summarize([slow]), atMost: atMost95, ...against }),
    timesItsTime({ what: `the first time, nothing known, ${files} files`, ours: summarize([first]), ...against }),
  ];
}

function expectComplete(fixture, root) {
  const { openSnapshots } = fixture.require('milepost/snapshots');
  const listed = openSnapshots({ root }).listPrompts({ limit: 5 });
  if (listed.length < 5 || listed.some((it) => !it.complete)) throw new Error(JSON.stringify(listed));
}

/** All that is there after so many prompts, by the settings that a project has without a word of its own. */
function disk(fixture) {
  const [files, changed] = [5_000, 5];
  const root = workTree(fixture, 'moments-disk', files);
  const take = events(fixture, root);
  for (let prompt = 0; prompt < PROMPTS; prompt++) {
    take('UserPromptSubmit');
    change(root, prompt, changed);
    take('Stop');
  }
  const bytes = sizeOf(path.join(root, '.claude/checkpoints/prompts'));
  const atMost = 1024 ** 3;
  return {
    what: `disk after ${PROMPTS} prompts, ${files} files, ${changed} changed by each`,
    ours: kilobytes(bytes),
    peer: `.git: ${kilobytes(sizeOf(path.join(root, '.git')))}`,
    ratio: `${rounded(bytes / PROMPTS / 1024)} KB a prompt`,
    target: `at most ${kilobytes(atMost)}`,
    verdict: classify(atMost, bytes <= atMost),
    numbers: { bytes, atMost },
  };
}

function sizeOf(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((it) => it.isFile());
  return files.reduce((bytes, it) => bytes + fs.statSync(path.join(it.parentPath, it.name)).size, 0);
}
