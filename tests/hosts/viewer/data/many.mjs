// Many checkpoints and large ones, for what is measured and for what must not end in a page that stands still.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { Chance } from './chance.mjs';
import { Clock } from './clock.mjs';

const COMMANDS = ['implement', 'design', 'research', 'review', 'ship', 'reconcile', 'start'];
const PHASES = ['plan', 'reader', 'parser', 'printer', 'store', 'tests', 'docs'];
const STATUSES = ['complete', 'complete', 'in_progress', 'pending', 'failed', 'skipped'];

/** About so many bytes each: ten thousand are 38 MB. */
const WORDS_OF_A_SUMMARY = 53;

/** A word that so many of the checkpoints have in a summary: 1 of 100. */
export const RARE = 'quicksilver';
export const ONE_IN = 100;

const STATE = '.claude/state';

/** So many checkpoints with seven phases each, of one revision. */
export function makeMany(root, count) {
  const chance = new Chance(20_260_305);
  const clock = new Clock('2026-01-05T08:00:00.000Z');
  try {
    const store = openStore({ root, durability: 'lazy', onWarning() {} });
    for (let at = 0; at < count; at++) {
      clock.minutes(7);
      const document = checkpoint(chance, at);
      store.save(COMMANDS[at % COMMANDS.length], document, nameOf(at));
    }
  } finally {
    clock.putBack();
  }
}

/** The feature of the checkpoint of that number. */
export function nameOf(at) {
  return `feature-${String(at).padStart(5, '0')}`;
}

function checkpoint(chance, at) {
  const phases = {};
  for (const [turn, name] of PHASES.entries()) {
    const rare = at % ONE_IN === 0 && turn === 0 ? ` ${RARE}` : '';
    phases[name] = {
      status: chance.of(STATUSES),
      started_at: '2026-01-05T08:00:00.000Z',
      context_summary: chance.words(WORDS_OF_A_SUMMARY) + rare,
      files_created: [`src/${name}/${chance.number(500)}.js`],
    };
  }
  const running = PHASES.find((name) => phases[name].status === 'in_progress') ?? null;
  const named = (status) => PHASES.filter((name) => phases[name].status === status);
  return {
    state: {
      current_phase: running,
      completed_phases: named('complete'),
      pending_phases: named('pending'),
    },
    phases,
  };
}

/** Two revisions of 1 MB: of each of so many fields every tenth differs, and so do lines of one long text. */
export function makeMegabytes(root) {
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  const chance = new Chance(7);
  const notes = Array.from({ length: 9_000 }, (_, at) => ({ line: at, text: chance.words(8) }));
  const lines = Array.from({ length: 4_000 }, () => chance.words(10));
  const document = { notes, report: lines.join('\n') };
  store.save('implement', document, 'megabyte');
  for (let at = 0; at < notes.length; at += 10) notes[at].text = chance.words(8);
  for (let at = 0; at < lines.length; at += 25) lines[at] = chance.words(10);
  store.save('implement', { notes, report: lines.join('\n') }, 'megabyte');
}

/** The key of these in the page. */
export const MEGABYTES = 'c/implement-megabyte';

/** A checkpoint as large as one can be, and one that is larger. */
export function makeLargest(root) {
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  const most = 16 * 1024 ** 2;
  // The bytes that the store adds are fewer than this.
  store.save('implement', { notes: 'x'.repeat(most - 4_096) }, 'largest');
  store.save('implement', { notes: 'small' }, 'too-large');
  const file = path.join(root, STATE, 'implement-too-large.json');
  fs.writeFileSync(file, `${JSON.stringify({ notes: 'x'.repeat(most) })}\n`);
}

/** So many files in the state folder that are none of its own, beside a checkpoint. */
export function makeStrays(root, count) {
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  store.updatePhase('implement', 'build', { status: 'in_progress' }, 'among-strays');
  const folder = path.join(root, STATE);
  for (let at = 0; at < count; at++) fs.writeFileSync(path.join(folder, `stray-${at}.txt`), '');
}
