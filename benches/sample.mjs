// The work of the contestants: the same text and documents in every run.

const WORDS = (
  'the phase keeps a record of what was done so that another process can carry on from here ' +
  'after its context window was compacted and the summary says which files were written, why ' +
  'this order was chosen, and what remains open before the gate lets the branch be shipped'
).split(' ');

/** Words of other scripts: two bytes a letter, three bytes with ideographic spaces, accents. */
export const SCRIPTS = {
  Russian: 'этап хранит запись о том что было сделано чтобы другой процесс мог продолжить'.split(' '),
  Japanese: '段階は　何が行われたかの記録を　保持し、別の処理が　ここから　続けられる。 ようにする'.split(' '),
  French: 'la phase garde une trace de ce qui a été fait, où, et pourquoi à côté de l’œuvre'.split(' '),
};

/** A small generator with a fixed seed (xorshift32): prose that does not repeat its length. */
function* numbers(seed) {
  let state = seed;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/**
 * @param {number} length in UTF-16 units
 * @param {object} [options]
 * @param {boolean} [options.typographic] with dashes and quotes outside Latin-1, which makes the
 *   engine store two bytes a character
 * @param {string[]} [options.words] what it is made of
 * @returns {string}
 */
export function prose(length, { typographic = false, words: vocabulary = WORDS } = {}) {
  const random = numbers(20260129);
  const words = [];
  let total = 0;
  while (total < length) {
    const drawn = random.next().value;
    let word = vocabulary[drawn % vocabulary.length];
    if (typographic && drawn % 29 === 0) word = `\u201c${word}\u201d \u2014`;
    const gap = drawn % 97 === 0 ? '.\n\n' : drawn % 13 === 0 ? ',\n' : ' ';
    words.push(word, gap);
    total += word.length + gap.length;
  }
  // Through a buffer: a string glued from pieces would be flattened inside the first measurement.
  return Buffer.from(words.join('').slice(0, length), 'utf8').toString('utf8');
}

/** @param {number} tokens @param {number} at where in the prose to begin @returns {string} */
function summary(tokens, at) {
  const words = prose(20_000).split(/\s+/);
  return words.slice(at * tokens, (at + 1) * tokens).join(' ');
}

/** A checkpoint of `implement` in the middle of its work: three phases, one in progress. */
export function smallCheckpoint() {
  return checkpoint(['research', 'design', 'implementation'], 40);
}

/** The text of a checkpoint of 12 KB: the size that a long command run reaches. */
export function largeCheckpointText() {
  const names = ['research', 'planning', 'specs', 'design', 'parser', 'store', 'implementation'];
  return `${JSON.stringify(checkpoint(names, 230), null, 2)}\n`;
}

function checkpoint(names, tokens) {
  const last = names.at(-1);
  const phases = names.map((name, at) => [
    name,
    {
      status: name === last ? 'in_progress' : 'complete',
      started_at: '2026-01-29T10:30:00.000Z',
      updated_at: '2026-01-29T11:45:00.000Z',
      context_summary: summary(tokens, at),
      files_created: [`src/${name}/mod.rs`, `src/${name}/document.rs`, `tests/${name}.rs`],
      files_modified: ['src/lib.rs', 'README.md'],
    },
  ]);
  return {
    command: 'implement',
    feature: 'checkpoint-infrastructure',
    version: 1,
    head_commit: 'd36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
    started_at: '2026-01-29T10:30:00.000Z',
    updated_at: '2026-01-29T11:45:00.000Z',
    state: {
      current_phase: last,
      completed_phases: names.slice(0, -1),
      pending_phases: ['validation', 'documentation'],
      current_task: 'T002',
    },
    phases: Object.fromEntries(phases),
  };
}
