// A fault at each call of `node:fs`, as the table of `tests/scenarios/inputs` has it, and some that are real.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder, require } from './ground.mjs';
import { Ground, leftOver, snapshot } from './inputs/ground.mjs';
import { Case } from './inputs/step.mjs';
import { textOf, WAYS, World } from './inputs/world.mjs';

const { faults } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../../scenarios/inputs/table.json'), 'utf8'),
);

for (const { row, name, before, call } of faults) {
  for (const way of WAYS) {
    test(`row ${row}: ${name}, a fault ${way}`, (t) => {
      for (let at = 0; ; at++) {
        assert.ok(at < 1000, 'never comes through');
        if (fault(t, before, call, { at, way })) {
          assert.ok(at > 20, 'the calls of node:fs are not seen');
          break;
        }
        t.mock.restoreAll();
      }
    });
  }
}

/** Whether the call came through without reaching the fault. */
function fault(t, before, call, { at, way }) {
  const where = `call ${at}`;
  const ground = new Ground(t);
  const world = new World(t);
  const running = new Case(ground, world);
  for (const step of before) running.take(step);
  const document = ground.at('.claude/state/design-checkpoint.json');
  const old = textOf(document);
  const foreign = ground.foreign();

  const { error } = world.with({ at, way }, () => running.call(call.ask, call));
  const came = world.calls <= at;

  const now = textOf(document);
  const isNew = now !== old && now.includes('"b": {');
  assert.ok(isNew || now === old, `${where}: neither the old document nor the new one: ${now}`);
  if (error === undefined) assert.ok(isNew, `${where}: acknowledged, and not there`);
  else assert.match(String(error.code), /^(io|unsafe_path)$/, `${where}: ${error.stack}`);

  const next = running.call('update_phase', { phase: 'c', patch: {} });
  assert.equal(next.error, undefined, `${where}: the next update fails`);
  const last = textOf(document);
  const expected = [isNew && '"b": {', old?.includes('"a": {') && '"a": {', '"c": {'];
  for (const part of expected.filter(Boolean)) {
    assert.ok(last.includes(part), `${where}: the next update lost ${part} ${last}`);
  }
  assert.deepEqual(ground.foreign(), foreign, `${where}: something outside changed`);
  assert.deepEqual(leftOver(ground.project), [], `${where}: left over after the next update`);
  fs.rmSync(ground.top, { recursive: true });
  return came;
}

const full = { skip: !fs.existsSync('/dev/full') && 'there is no /dev/full' };

test('row 16: an answer that nobody can be given is an I/O error', full, (t) => {
  const manifest = require.resolve('milepost/package.json');
  const bin = path.join(path.dirname(manifest), require(manifest).bin.milepost);
  const device = fs.openSync('/dev/full', 'w');
  t.after(() => fs.closeSync(device));
  const stdio = ['ignore', device, 'pipe'];
  const run = spawnSync(process.execPath, [bin, 'schema', '--ts'], { stdio, encoding: 'utf8' });
  assert.equal(run.status, 74);
  assert.match(run.stderr, /ENOSPC/);
});

const modes = {
  skip: (process.platform === 'win32' || process.getuid() === 0) && 'nothing is forbidden to root',
};

test('row 16: a folder that may not be written or entered is an error, and stays', modes, (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  store.updatePhase('design', 'a', {});
  const state = path.join(root, '.claude/state');
  const side = path.join(state, '.milepost/design-checkpoint');
  for (const folder of [state, path.join(side, 'tokens'), path.join(side, 'history')]) {
    for (const mode of [0o500, 0]) {
      const before = snapshot(root);
      fs.chmodSync(folder, mode);
      try {
        const failed = ({ code }) => code === 'io' || code === 'unsafe_path';
        assert.throws(() => store.updatePhase('design', 'b', {}), failed, `${folder} ${mode}`);
      } finally {
        fs.chmodSync(folder, 0o700);
      }
      const document = path.join(state, 'design-checkpoint.json');
      assert.equal(snapshot(root).get(document), before.get(document));
    }
  }
  store.updatePhase('design', 'b', {});
});
