// Several servers, as several agents have them, on one checkpoint.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder } from '../node/fixture.mjs';
import { connected } from './client.mjs';

const TARGET = { command: 'implement', feature: 'shared' };
const ROUNDS = 40;

/** A call that is made again while others are faster, as its answer says. */
async function patiently(client, name, given) {
  for (;;) {
    const result = await client.call(name, given);
    if (!result.isError) return result.structuredContent;
    const { error } = JSON.parse(result.content[0].text);
    assert.equal(error.code, 'busy', error.message);
    assert.match(error.hint, /Try again/);
  }
}

test('two servers on one run lose nothing that was acknowledged', async (t) => {
  const root = emptyFolder(t);
  const clients = [await connected(t, root), await connected(t, root, '2026-07-28')];
  const work = async (client, at) => {
    const revisions = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const phase = `p${at}-${round}`;
      const given = { ...TARGET, phase, status: 'complete', context_summary: `s ${phase}`, files_created: [phase] };
      revisions.push((await patiently(client, 'milepost_phase', given)).revision);
    }
    return revisions;
  };
  const [first, second] = await Promise.all(clients.map(work));
  assert.equal(new Set([...first, ...second]).size, 2 * ROUNDS);
  const { phases, state } = openStore({ root }).load(TARGET.command, TARGET.feature);
  assert.equal(Object.keys(phases).length, 2 * ROUNDS, 'violated: an acknowledged phase is lost');
  assert.equal(state.completed_phases.length, 2 * ROUNDS);
  for (const [name, phase] of Object.entries(phases)) {
    assert.deepEqual([phase.context_summary, phase.files_created], [`s ${name}`, [name]]);
  }
  for (const client of clients) assert.equal(await client.close(), 0);
});

test('a server that is killed leaves a run that another one can use', async (t) => {
  const root = emptyFolder(t);
  const [victim, other] = [await connected(t, root), await connected(t, root)];
  const acknowledged = [];
  const recorded = (async () => {
    for (let round = 0; ; round += 1) {
      const phase = `p${round}`;
      await victim.value('milepost_phase', { ...TARGET, phase, status: 'complete' });
      acknowledged.push(phase);
      if (acknowledged.length === 10) victim.kill('SIGKILL');
    }
  })();
  await assert.rejects(recorded, /ended without an answer/);
  await patiently(other, 'milepost_phase', { ...TARGET, phase: 'after', status: 'complete' });
  const { checkpoint } = await other.value('milepost_show', TARGET);
  for (const phase of [...acknowledged, 'after']) assert.equal(checkpoint.phases[phase]?.status, 'complete', phase);
});
