// One step of a case, and whether its outcome is the one that the table names.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { SECRET, snapshot } from './ground.mjs';
import * as node from './host.mjs';
import { bytes, string } from './text.mjs';

/** What a terminal acts on; a line may end. */
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();

/** A case under way. */
export class Case {
  /** @param {typeof node} [host] who is asked */
  constructor(ground, world, each, host = node) {
    this.ground = ground;
    this.world = world;
    this.each = each;
    this.host = host;
  }

  take(step) {
    if (step.put) return this.ground.put(step.put, this.each);
    if (step.clock !== undefined) return void (this.world.wallMs = step.clock);
    if (step.line) return this.#runLine(step);
    for (const operation of [step.ask].flat()) this.#ask(operation, step);
  }

  /** Calls one operation as a user does: its value, or its error, and its warnings. */
  call(operation, step) {
    const fields = { command: 'design' };
    for (const key of ['command', 'feature', 'text', 'phase', 'patch']) {
      if (step[key] !== undefined) fields[key] = string(step[key], this.each);
    }
    return this.#watched(() => this.host.ask(this.ground.project, operation, fields));
  }

  /** Whoever traces this process sees in these paths what is the host's doing, and which are links. */
  #watched(action) {
    for (const link of this.ground.links()) fs.existsSync(`/milepost-link${link}`);
    fs.existsSync(`/milepost-begins${this.ground.project}`);
    try {
      return action();
    } finally {
      fs.existsSync('/milepost-ends');
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

    assert.equal(error?.code, step.error, `${operation}: ${error?.stack ?? error?.message}`);
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
    const started = performance.now();
    const run = this.#watched(() => this.host.line(this.ground.project, step.line, input));
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
