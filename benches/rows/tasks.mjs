// Task checkpoints: a save in memory against a Map of copies, and one in files beside thousands of tasks.

import path from 'node:path';
import { alternate } from '../measure.mjs';
import { timesItsTime } from '../report.mjs';
import { prose } from '../sample.mjs';

export const name = 'tasks';
const KEPT = 10;
/** One save takes tens of microseconds: too short for a clock on its own. */
const BATCH = 50;
const MANY = 10_000;

/** @param {import('../fixture.mjs').Fixture} fixture */
export async function measure(fixture) {
  const { createCheckpointManager } = fixture.require('milepost/tasks');
  return [await inMemory(createCheckpointManager), await besideMany(fixture, createCheckpointManager)];
}

/** A state of 4 KB, as an agent's may be: notes, results of steps, some numbers. */
function state(id, taskId = 'task') {
  const text = prose(4_000);
  const remark = (at) => text.slice(at * 60, at * 60 + 60);
  const result = (at) => ({ ok: true, count: at, output: remark(at + 12) });
  const step = (at) => {
    const completedAt = '2026-01-29T10:30:00.000Z';
    return { stepId: `s${at}`, name: `Step ${at}`, result: result(at), durationMs: 12.5 * at, completedAt };
  };
  const range = (count) => Array.from({ length: count }, (_, at) => at);
  const notes = range(15).map((at) => ({ file: `src/module/file-${at}.ts`, line: at * 17, text: remark(at) }));
  return {
    ...{ id, taskId, agentId: 'agent', stepIndex: 10, totalSteps: 20 },
    context: { branch: 'main', notes, scores: range(10).map((at) => at * 1.5) },
    completedSteps: range(10).map(step),
    pendingSteps: range(10).map((at) => `s${at + 10}`),
    createdAt: '2026-01-29T10:30:00.000Z',
  };
}

async function inMemory(createCheckpointManager) {
  const manager = createCheckpointManager({ maxPerTask: KEPT });
  const plain = new Map();
  const saved = state('cp');
  const saves = [];
  const batch = (save) => () => {
    const begun = process.hrtime.bigint();
    for (let at = 0; at < BATCH; at++) save({ ...saved, id: `cp-${at % (KEPT + 2)}` });
    return Number(process.hrtime.bigint() - begun) / 1e6 / BATCH;
  };
  const samples = alternate(
    { rounds: 300, warmups: 100 },
    {
      ours: batch((one) => saves.push(manager.save(one))),
      peer: batch((one) => plain.set(one.id, structuredClone(one))),
    },
  );
  await Promise.all(saves);
  const { length } = await manager.list('task');
  if (length !== KEPT) throw new Error(`${length} are kept instead of ${KEPT}`);
  return timesItsTime({
    what: `save of a task checkpoint of ${Math.round(JSON.stringify(saved).length / 100) / 10} KB in memory`,
    peerName: 'Map, structuredClone',
    ...samples,
    atMost: 2,
  });
}

async function besideMany(fixture, createCheckpointManager) {
  const [few, many] = [1, MANY].map((count) => path.join(fixture.work, `tasks-${count}`));
  const filling = createCheckpointManager({ storage: { storagePath: many, durability: 'lazy' } });
  for (let at = 1; at < MANY; at++) await filling.save(state(`cp of ${at}`, `task ${at}`));
  const saves = [];
  const save = (storagePath) => {
    const manager = createCheckpointManager({ storage: { storagePath } });
    return (round) => void saves.push(manager.save(state(`cp-${round}`)));
  };
  const plan = { rounds: 100, warmups: 20 };
  const samples = alternate(plan, { ours: save(many), peer: save(few) });
  await Promise.all(saves);
  return timesItsTime({
    what: `durable save of a task checkpoint in files beside ${MANY} tasks`,
    peerName: 'beside none',
    ...samples,
    atMost: 1.2,
  });
}
