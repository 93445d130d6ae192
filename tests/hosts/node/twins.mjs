// Every command on two command lines: the same words, the same text, the same exit code, and the same bytes in every
// file.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { files, onNode, steady } from './alike.mjs';
import { CALLS, DOCUMENT, SESSION_CALLS, wordsOf } from './calls.mjs';
import { emptyFolder, repository } from './fixture.mjs';

/** Two equal repositories, one for each command line. */
function twins(t) {
  const root = repository(t);
  fs.mkdirSync(path.join(root, 'below'));
  fs.writeFileSync(path.join(root, 'document.json'), DOCUMENT);
  fs.writeFileSync(path.join(root, 'broken.json'), '{"phases": 3, "state": null}');
  const twin = emptyFolder(t);
  fs.cpSync(root, twin, { recursive: true });
  return { root, twin };
}

/**
 * Every command about runs and the project.
 *
 * @param {(cwd: string, words: string[], how: {input: string}) => {code: number | null, out: string, error: string}} run
 *   the other command line
 * @param {(words: string[], out: string) => string} [shared] the part of an answer that both have
 */
export async function answersAlike(t, run, shared = (words, out) => out) {
  const { root, twin } = twins(t);
  for (const call of CALLS) {
    const words = wordsOf(call);
    await t.test(`milepost ${words.join(' ')}`, () => {
      const how = { input: call.input ?? '' };
      const [expected, actual] = [onNode(root, words, how), run(twin, words, how)];
      assert.equal(steady(shared(words, actual.out)), steady(shared(words, expected.out)));
      assert.equal(steady(actual.error), steady(expected.error));
      assert.equal(actual.code, expected.code);
      assert.deepEqual(files(twin), files(root));
    });
  }
}

/**
 * Every command of snapshots.
 *
 * @param {(cwd: string, words: string[]) => {code: number | null, out: string, error: string}} other the other command
 *   line
 */
export async function answersAlikeOfSnapshots(t, other) {
  const roots = [onNode, other].map((run) => {
    const root = repository(t);
    fs.writeFileSync(path.join(root, 'notes'), 'not committed\n');
    run(root, ['phase', 'implement', 'parser', 'complete', '--summary', 'Parser done.']);
    run(root, ['phase', 'implement', 'tests', 'in_progress']);
    const made = run(root, ['create', '--reason', 'phase_complete', '--json']);
    return { run, root, id: JSON.parse(made.out).id };
  });
  // A second one of the same second has a longer id, for which a list makes room.
  const plain = (text) =>
    steady(text)
      .replaceAll(/chk-\d{8}-\d{6}(-\d+)? */g, 'ID ')
      .replaceAll(/The commit [0-9a-f]{7} /g, 'The commit HEAD ')
      // WASI does not show what the user ignores everywhere.
      .replaceAll(/^What the user ignores everywhere was not seen, and may be among the files\n/gm, '');
  for (const words of SESSION_CALLS) {
    await t.test(`milepost ${words.join(' ')}`, () => {
      const [expected, actual] = roots.map(({ run, root, id }) => {
        const { code, out, error } = run(root, words.map((word) => (word === 'ID' ? id : word)));
        return { code, out: plain(out), error: plain(error) };
      });
      assert.deepEqual(actual, expected);
    });
  }
}
