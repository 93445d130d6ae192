// Projects by chance, with a seed: all that commands, crashes and editors leave in a state folder.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { Chance } from './chance.mjs';
import { Clock } from './clock.mjs';
import { commit, repository } from './git.mjs';

const COMMANDS = ['implement', 'design', 'research', 'review', 'ship'];
const PHASES = ['plan', 'build', 'check', '__proto__', '7', 'Überblick'];
const STATUSES = ['pending', 'in_progress', 'complete', 'failed', 'skipped'];

/** A project in an empty folder, with so many checkpoints and some steps of each. */
export function makeRandom(root, seed, checkpoints) {
  const chance = new Chance(seed);
  const clock = new Clock('2026-02-01T10:00:00.000Z');
  try {
    if (chance.number(3) > 0) repository(root);
    const store = openStore({ root, durability: 'lazy', onWarning() {} });
    for (let at = 0; at < checkpoints; at++) {
      const feature = chance.number(5) === 0 ? null : `feature-${at}`;
      const run = new Run(root, store, chance, clock, chance.of(COMMANDS), feature);
      for (let steps = 1 + chance.number(12); steps > 0; steps--) run.step();
    }
  } finally {
    clock.putBack();
  }
}

/** The cases that no chance can make of a checkpoint. */
const REFUSED = ['conflict', 'corrupt', 'invalid_document', 'invalid_name', 'not_found', 'too_large', 'unsupported_version', 'usage'];

class Run {
  constructor(root, store, chance, clock, command, feature) {
    Object.assign(this, { root, store, chance, clock, command, feature });
  }

  step() {
    const { chance, clock } = this;
    clock.minutes(chance.of([0, 1, 30, 600]));
    const acts = ['phase', 'phase', 'phase', 'phase', 'phase', 'whole', 'undo', 'redo', 'gate', 'complete', 'edit', 'odd', 'cut', 'recover', 'remove', 'commit'];
    try {
      this[chance.of(acts)]();
    } catch (error) {
      if (!REFUSED.includes(error.code)) throw error;
    }
  }

  phase() {
    const { chance, store, command, feature } = this;
    const patch = { status: chance.of(STATUSES) };
    if (chance.number(2) === 0) patch.context_summary = chance.words(chance.number(30));
    if (patch.status === 'failed') patch.error = chance.words(5);
    if (chance.number(3) === 0) patch.files_created = [`src/${chance.number(9)}.js`, 'src/\u202e.js'];
    store.updatePhase(command, chance.of(PHASES), patch, feature);
  }

  whole() {
    const { chance, store, command, feature } = this;
    const document = store.load(command, feature);
    if (document === null) return;
    document.notes = { text: chance.words(12), list: [chance.number(9), null, { deep: [1e20] }] };
    store.save(command, document, feature);
  }

  undo() {
    this.store.undo(this.command, this.feature);
  }

  redo() {
    this.store.redo(this.command, this.feature);
  }

  gate() {
    const { chance, store, command, feature } = this;
    store.gate(command, feature, chance.number(2) === 0 ? { open: true } : { close: [chance.words(4)] });
  }

  complete() {
    const { chance, store, command, feature } = this;
    store.complete(command, feature, chance.of([{}, { force: true }, { keepOpen: true }]));
  }

  recover() {
    this.store.recover(this.command, this.feature);
  }

  remove() {
    if (this.chance.number(3) === 0) this.store.remove(this.command, this.feature);
  }

  commit() {
    if (fs.existsSync(path.join(this.root, '.git'))) commit(this.root, this.chance.words(3));
  }

  #file() {
    const file = path.join(this.root, `.claude/state/${this.command}-${this.feature ?? 'checkpoint'}.json`);
    return fs.existsSync(file) ? file : null;
  }

  /** By an editor: it stays a document. */
  edit() {
    const file = this.#file();
    if (file === null) return;
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('"status": "pending"', '"status": "complete"').replace('the', 'THE'));
  }

  /** By something that knows no schema. */
  odd() {
    const file = this.#file();
    if (file === null || this.chance.number(3) > 0) return;
    const document = parsed(fs.readFileSync(file, 'utf8'));
    if (document === null) return;
    const odd = this.chance.of([
      { version: 2 },
      { state: null },
      { phases: { plan: 'done', build: { status: 'half' } } },
      { updated_at: 'yesterday' },
      { completed_at: 5 },
      { revision: -1 },
      { command: 'design' },
    ]);
    fs.writeFileSync(file, JSON.stringify({ ...document, ...odd }));
  }

  /** A crash of something else that wrote. */
  cut() {
    const file = this.#file();
    if (file === null || this.chance.number(4) > 0) return;
    fs.truncateSync(file, this.chance.number(fs.statSync(file).size));
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
