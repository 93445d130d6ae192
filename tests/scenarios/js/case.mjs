// One scenario over real files, and whether each step answers as it says.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { countTokens, truncateContextSummary, validateContextSummary } from 'milepost';
import { assertCovers, assertFile, assertReply } from './expect.mjs';
import { SECRET, snapshot } from './fixture.mjs';
import { bytes, isMade, string } from './text.mjs';

/** The characters that a terminal acts on; a line may end. */
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();

/** The members of a step that are documents, which may have members of any name. */
const DOCUMENTS = ['document', 'patch'];

/** A scenario in progress. */
export class Case {
  /**
   * @param {import('./fixture.mjs').Fixture} fixture
   * @param {{wallMs?: number | null, passedMs?: number, whileWaiting?: (() => void) | null}} world
   *   the clocks and the waiting of the host, where it shares them
   * @param {{ask: Function, line: Function}} host who is asked
   */
  constructor(fixture, world, host) {
    this.fixture = fixture;
    this.world = world;
    this.host = host;
  }

  /** Takes all steps, then looks at the files. */
  play({ steps, files }) {
    for (const step of steps) this.take(step);
    for (const [below, expected] of Object.entries(files)) {
      const file = this.fixture.at(below);
      assertFile(below, fs.existsSync(file) ? new Uint8Array(fs.readFileSync(file)) : null, expected);
    }
  }

  take(step) {
    if (step.put) return this.fixture.put(step.put);
    if ('clock' in step) return void (this.world.wallMs = step.clock);
    if ('pass' in step) return void (this.world.passedMs += step.pass);
    if (step.line) return this.#runLine(step);
    if (step.ask) return [step.ask].flat().forEach((operation) => this.#ask(operation, step));
    assertCovers(rule(step), step.value, JSON.stringify(step));
  }

  /** Calls one operation as a user does: its value, or its error, and its warnings. */
  call(operation, step) {
    const fields = { command: 'design' };
    for (const [key, value] of Object.entries(step)) {
      fields[key] = isMade(value) && !DOCUMENTS.includes(key) ? string(value) : value;
    }
    return this.#watched(() => this.host.ask(this.fixture.project, operation, fields));
  }

  /** A trace of this process shows in these paths what is the host's doing, and which are links. */
  #watched(action) {
    for (const link of this.fixture.links()) fs.existsSync(`/milepost-link${link}`);
    fs.existsSync(`/milepost-begins${this.fixture.project}`);
    try {
      return action();
    } finally {
      fs.existsSync('/milepost-ends');
    }
  }

  #ask(operation, step) {
    const { fixture } = this;
    if (step.while_waiting) this.world.whileWaiting = () => fixture.put(step.while_waiting);
    const kept = step.kept === 'all' ? ['.'] : (step.kept ?? []);
    const look = () => kept.map((below) => snapshot(fixture.at(below)));
    const before = look();
    const foreign = fixture.foreign();
    const started = performance.now();
    const found = this.call(operation, step);
    checkTime(started, step);
    assert.deepEqual(fixture.foreign(), foreign, 'something outside of the state folder changed');
    assert.deepEqual(look(), before, `${operation} changed what must be kept`);
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), PROTOTYPE);
    assert.equal({}.polluted, undefined);
    const said = JSON.stringify([found, found.error?.message]);
    assert.ok(!said.includes(SECRET), 'quotes a foreign file');
    try {
      assertReply(found, step);
    } catch (error) {
      error.message = `${operation}: ${error.message}`;
      throw error;
    }
  }

  #runLine(step) {
    const foreign = this.fixture.foreign();
    const input = step.input === undefined ? '' : bytes(step.input);
    const started = performance.now();
    const run = this.#watched(() => this.host.line(this.fixture.project, step.line, input));
    checkTime(started, step);
    const printed = run.stdout + run.stderr;
    assert.deepEqual(this.fixture.foreign(), foreign, 'something outside changed');
    assert.equal(run.status, step.exit, `${step.line}: ${printed}`);
    assert.doesNotMatch(printed, ACTS);
    for (const part of step.shows ?? []) {
      assert.ok(printed.includes(part), `${step.line} does not show ${part}: ${printed}`);
    }
  }
}

/** The requests that need no files. */
function rule(step) {
  if ('count' in step) return countTokens(step.count);
  if ('truncate' in step) return truncateContextSummary(step.truncate, step.limit);
  if ('validate_summary' in step) {
    const { error = null, ...verdict } = validateContextSummary(step.validate_summary, step.limit);
    return { ...verdict, error };
  }
  throw new Error(`no step: ${JSON.stringify(step)}`);
}

function checkTime(started, { seconds = Infinity }) {
  const taken = (performance.now() - started) / 1000;
  assert.ok(taken < seconds, `took ${taken} s`);
}
