// A fault at each call of `node:fs` in a step `with_faults` of `tests/scenarios/hand`, and some that are
// real.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { IS_FULL_RANGE } from '../environment.mjs';
import { Case } from '../../scenarios/js/case.mjs';
import { Fixture, leftOver, snapshot } from '../../scenarios/js/fixture.mjs';
import { scenarios } from '../../scenarios/js/hand.mjs';
import { bin, emptyFolder } from './fixture.mjs';
import * as host from './scenarios/host.mjs';
import { textOf, WAYS, World } from './scenarios/world.mjs';

/** A wait for the fault that Windows reports of a file in use; `sharing` in the simulator is that. */
const posix = { skip: process.platform === 'win32' && 'the faults are those of a POSIX system' };

for (const { topic, name, steps } of scenarios().flat()) {
  const before = steps.slice(0, -1);
  const call = steps.at(-1);
  if (!call.with_faults) continue;
  for (const way of IS_FULL_RANGE ? WAYS : WAYS.slice(0, 1)) {
    test(`${topic}: ${name}, a fault ${way}`, posix, (t) => {
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

/** Returns whether the call came through without reaching the fault. */
function fault(t, before, call, { at, way }) {
  const where = `call ${at}`;
  const fixture = new Fixture(emptyFolder(t));
  const world = new World(t);
  const running = new Case(fixture, world, host);
  for (const step of before) running.take(step);
  const document = fixture.at('.claude/state/design-checkpoint.json');
  const old = textOf(document);
  const foreign = fixture.foreign();

  const { error } = world.with({ at, way }, () => running.call(call.ask, call));
  const came = world.calls <= at;

  const now = textOf(document);
  const isNew = now !== old && now.includes('"b": {');
  assert.ok(isNew || now === old, `violated: ${where}: neither the old document nor the new one: ${now}`);
  if (error === undefined) assert.ok(isNew, `violated: ${where}: acknowledged, and not there`);
  else assert.match(String(error.code), /^(io|unsafe_path)$/, `${where}: ${error.stack}`);

  const next = running.call('update_phase', { phase: 'c', patch: {} });
  assert.equal(next.error, undefined, `${where}: the next update fails`);
  const last = textOf(document);
  const expected = [isNew && '"b": {', old?.includes('"a": {') && '"a": {', '"c": {'];
  for (const part of expected.filter(Boolean)) {
    assert.ok(last.includes(part), `violated: ${where}: the next update lost ${part} ${last}`);
  }
  assert.deepEqual(fixture.foreign(), foreign, `${where}: something outside changed`);
  // A second name of what it replaced may be left beside history, and goes with the one after.
  running.call('update_phase', { phase: 'c', patch: {} });
  assert.deepEqual(leftOver(fixture.project), [], `${where}: left over after the next update`);
  fs.rmSync(fixture.top, { recursive: true });
  return came;
}

const full = { skip: !fs.existsSync('/dev/full') && 'there is no /dev/full' };

test('an answer that cannot be given is an I/O error', full, (t) => {
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

test('a folder that may not be written or entered is an error, and stays', modes, (t) => {
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
