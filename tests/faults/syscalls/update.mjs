// One update under a fault: the project before it, and what has to hold after it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { leftOver, snapshot } from '../../scenarios/js/fixture.mjs';

const DOCUMENT = '.claude/state/design-checkpoint.json';

const HISTORY = '.claude/state/.milepost/design-checkpoint/history';

/**
 * An update, by the number of those before it. Every sixteenth one trims the history, and the
 * sixty-fourth is the first that finds more there than the 50 replaced revisions that are kept.
 */
export const UPDATES = { first: 0, trimming: 63 };

/** Replaced revisions that a history keeps: usually, and regardless of what is asked of it. */
const KEPT = 50;
const NEVER_PRUNED = 10;

/** So few entries are enough to see how one is removed, and each costs a run for all of its calls. */
const REMOVED = 3;

/** Calls that only look. What they may not see is not trusted, with a code of its own. */
const LOOKS = /^(statx|newfstatat|fstat|lstat|openat2)$/;

/** Makes a project in which `earlier` updates were acknowledged. */
export function makeProject(root, earlier) {
  fs.mkdirSync(path.join(root, '.git/refs/heads'), { recursive: true });
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(path.join(root, '.git/refs/heads/main'), `${'0123456789'.repeat(4)}\n`);
  const store = openStore({ root });
  for (let update = 0; update < earlier; update++) store.updatePhase('design', 'before', { update });
  // Beside those that are kept: the copy of the newest one.
  const surplus = earlier - KEPT - REMOVED;
  for (const { file } of historyOf(root).slice(0, Math.max(0, surplus))) fs.rmSync(file);
}

/**
 * Takes away the copy of the newest revision, as if its writer had been killed right after its commit:
 * the next update has to bring it into history itself.
 */
export function removeCopy(root) {
  const newest = historyOf(root).at(-1);
  if (newest !== undefined) fs.rmSync(newest.file);
}

/** Returns the document that an update of such a project makes. */
export function nextDocument(root) {
  openStore({ root }).updatePhase('design', 'during', {});
  return textOf(root);
}

/** A project in its state before the update. */
export class Before {
  constructor(root) {
    this.root = root;
    this.text = textOf(root);
    this.document = JSON.parse(this.text ?? 'null');
    this.foreign = snapshot(root, path.join(root, '.claude'));
    this.history = historyOf(root);
    const revision = this.document?.revision ?? 0;
    this.replaced = this.history.filter(({ number }) => number < revision).map(({ text }) => text);
  }

  /**
   * Checks what an update left behind, then makes another one, which nothing disturbs.
   *
   * @param {ReturnType<typeof import('./hosts.mjs').answerOf>} answer
   * @param {{name: string}} call that the fault hit
   * @param {string} fault
   */
  check(answer, call, fault) {
    const store = openStore({ root: this.root });
    const read = () => {
      const document = store.load('design');
      assert.deepEqual(store.warnings, [], 'the document is not as the store wrote it');
      return document;
    };
    const revision = (this.document?.revision ?? 0) + 1;
    const now = read();
    const text = textOf(this.root);
    const isNew = text !== this.text;
    if (isNew) {
      assert.equal(now.revision, revision, 'neither the old revision nor the next one');
      assert.deepEqual(Object.keys(now.phases), [...this.#phases(), 'during'], 'not whole');
    }
    this.#checkAnswer(answer, call, fault, isNew, revision);
    this.#checkHistory(isNew ? [this.text] : []);

    const after = store.updatePhase('design', 'after', {});
    assert.deepEqual(store.warnings, [], 'the next update has something to remark');
    const last = read();
    const expected = [...this.#phases(), ...(isNew ? ['during'] : []), 'after'];
    assert.deepEqual(Object.keys(last.phases), expected, 'the next update lost something');
    assert.deepEqual(last.phases.before, this.document?.phases.before, 'the earlier update');
    assert.equal(last.revision, after.revision);
    assert.ok(last.revision > (now?.revision ?? 0), 'the revision does not grow');
    this.#checkHistory(isNew ? [this.text, text] : [text]);
    // A second name of what it replaced may be left beside history, and goes with the one after.
    store.updatePhase('design', 'after', {});
    assert.deepEqual(leftOver(this.root), [], 'left over after the next update');
    const foreign = snapshot(this.root, path.join(this.root, '.claude'));
    assert.deepEqual(foreign, this.foreign, 'something outside of the state folder changed');
  }

  /** Checks that an update of a history that was too long removed the oldest entries, and only them. */
  checkTrimmed() {
    if (this.history.length <= KEPT) return;
    const left = this.history.map(({ file }) => fs.existsSync(file));
    const expected = this.history.map((_, at) => at >= REMOVED);
    assert.deepEqual(left, expected, 'the update was to trim the history');
  }

  /** `texts` were replaced since, oldest first; `null` where there was no document yet. */
  #checkHistory(texts) {
    const all = [...this.replaced, ...texts.filter((text) => text !== null)];
    const kept = new Set(historyOf(this.root).map(({ text }) => text));
    const missing = all.slice(-NEVER_PRUNED).filter((text) => !kept.has(text));
    const revisions = missing.map((text) => JSON.parse(text).revision);
    assert.deepEqual(revisions, [], 'replaced revisions that are not in history');
  }

  #phases() {
    return Object.keys(this.document?.phases ?? {});
  }

  #checkAnswer(answer, call, fault, isNew, revision) {
    if (answer === undefined) return;
    if (answer.error === undefined) {
      assert.ok(isNew, 'acknowledged, and not there');
      assert.equal(answer.revision, revision, 'another revision was acknowledged');
      // libuv and the kernel may both begin an interrupted one again.
      const unsynced = /^f(data)?sync$/.test(call.name) && fault !== 'EINTR';
      assert.ok(!unsynced, 'acknowledged, and not durable');
      return;
    }
    const { code, message } = answer.error;
    const fits = code === 'io' || (code === 'unsafe_path' && LOOKS.test(call.name));
    assert.ok(fits, `refused with ${code}: ${message}`);
    if (isNew) assert.match(message, /is written|unknown/, 'refused, and there all the same');
  }
}

/** The entries of a history, oldest first. */
function historyOf(root) {
  const folder = path.join(root, HISTORY);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const entries = names.filter((name) => name.endsWith('.json')).map((name) => {
    const file = path.join(folder, name);
    return { file, number: Number.parseInt(name, 10), text: fs.readFileSync(file, 'utf8') };
  });
  return entries.sort((one, other) => one.number - other.number);
}

function textOf(root) {
  const file = path.join(root, DOCUMENT);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}
