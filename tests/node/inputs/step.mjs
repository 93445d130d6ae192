// One step of a case, and whether its outcome is the one that the table names.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { require } from '../ground.mjs';
import { SECRET, snapshot } from './ground.mjs';
import { bytes, string } from './text.mjs';

// By require, so that the functions of `node:fs` are looked up at each call, which faults need.
const { openStore } = require('milepost');
const manifest = require.resolve('milepost/package.json');
const bin = path.join(path.dirname(manifest), require(manifest).bin.milepost);

/** What a terminal acts on; a line may end. */
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();

const CALLS = {
  load: (store, { command, feature }) => {
    store.load(command, feature);
    return { text: store.loadText(command, feature) };
  },
  save: (store, { command, feature, text }) => store.saveText(command, text, feature),
  update_phase: (store, { command, feature, phase, patch }) =>
    store.updatePhase(command, phase, JSON.parse(patch), feature),
  complete: (store, { command, feature }) => store.complete(command, feature),
  resume_point: (store, { command, feature }) => store.resumePoint(command, feature),
  gate: (store, { command, feature }) => store.gate(command, feature),
  log: (store, { command, feature }) => store.log(command, feature),
  diff: (store, { command, feature }) => store.diff(command, feature),
  list: (store) => store.list(),
  latest: (store) => store.latest(),
  load_integrations: (store) => store.loadIntegrations(),
};

/** A case under way. */
export class Case {
  constructor(ground, world, each) {
    this.ground = ground;
    this.world = world;
    this.each = each;
  }

  take(step) {
    if (step.put) return this.ground.put(step.put, this.each);
    if (step.clock !== undefined) return void (this.world.wallMs = step.clock);
    if (step.line) return this.#runLine(step);
    for (const operation of [step.ask].flat()) this.#ask(operation, step);
  }

  /** Calls one operation as a user does: its value, or its error, and its warnings. */
  call(operation, step) {
    const store = openStore({ root: this.ground.project });
    const fields = { command: 'design' };
    for (const key of ['command', 'feature', 'text', 'phase', 'patch']) {
      if (step[key] !== undefined) fields[key] = string(step[key], this.each);
    }
    try {
      return { value: CALLS[operation](store, fields), warnings: store.warnings };
    } catch (error) {
      return { error, warnings: store.warnings };
    }
  }

  #ask(operation, step) {
    const { ground, each } = this;
    if (step.while_waiting) {
      this.world.whileWaiting = () => ground.put(step.while_waiting, each);
    }
    const kept = step.kept === 'all' ? ['.'] : (step.kept ?? []);
    const look = () => kept.map((below) => snapshot(ground.at(below)));
    const before = look();
    const foreign = ground.foreign();
    const started = performance.now();
    const { value, error, warnings } = this.call(operation, step);
    checkTime(started, step);
    assert.deepEqual(ground.foreign(), foreign, 'something outside of the state folder changed');
    assert.deepEqual(look(), before, `${operation} changed what must be kept`);
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), PROTOTYPE);
    assert.equal({}.polluted, undefined);

    assert.equal(error?.code, step.error, `${operation}: ${error?.stack}`);
    assert.deepEqual(warnings.map(({ code }) => code), step.warnings ?? [], operation);
    const said = [...warnings, error ?? { message: '' }].map(({ message }) => message).join('\n');
    assert.ok(!`${said}${JSON.stringify(value)}`.includes(SECRET), 'quotes a foreign file');
    for (const part of step.says ?? []) assert.ok(said.includes(part), `${said} lacks ${part}`);
    if ('value' in step) assertCovers(value, step.value, operation);
    for (const part of step.text_has ?? []) {
      assert.ok(value.text.includes(string(part, each)), `${value.text} lacks ${part}`);
    }
    for (const part of step.text_lacks ?? []) {
      assert.ok(!value.text.includes(string(part, each)), `${value.text} has ${part}`);
    }
  }

  #runLine(step) {
    const foreign = this.ground.foreign();
    const input = step.input === undefined ? '' : bytes(step.input, this.each);
    const env = { ...process.env };
    delete env.GIT_ROOT;
    const started = performance.now();
    const run = spawnSync(process.execPath, [bin, '--root', this.ground.project, ...step.line], {
      cwd: this.ground.project,
      encoding: 'utf8',
      env,
      input,
    });
    checkTime(started, step);
    const printed = run.stdout + run.stderr;
    assert.deepEqual(this.ground.foreign(), foreign, 'something outside changed');
    assert.equal(run.status, step.exit, `${step.line}: ${printed}`);
    assert.doesNotMatch(printed, ACTS);
    for (const part of step.shows ?? []) {
      assert.ok(printed.includes(part), `${step.line} does not show ${part}: ${printed}`);
    }
  }
}

function checkTime(started, { seconds = Infinity }) {
  const taken = (performance.now() - started) / 1000;
  assert.ok(taken < seconds, `took ${taken} s`);
}

/** Whether a value has at least the members that are expected, at every level. */
function assertCovers(value, expected, where) {
  if (typeof expected !== 'object' || expected === null) {
    return assert.deepEqual(value, expected, where);
  }
  assert.equal(typeof value, 'object', where);
  if (Array.isArray(expected)) assert.equal(value.length, expected.length, where);
  for (const key of Object.keys(expected)) {
    assertCovers(value[key], expected[key], `${where}.${key}`);
  }
}
