// Every command on two command lines: the same words, the same text, the same exit code, and the same bytes in every
// file.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { files, onNode, steady } from './alike.mjs';
import { CALLS, DOCUMENT, REWIND_CALLS, SESSION_CALLS, wordsOf } from './calls.mjs';
import { emptyFolder, git, repository } from './fixture.mjs';

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
 * The text without what differs between any two runs, and between hosts. A second snapshot of the same second has a
 * longer id, for which a list makes room.
 *
 * @param {string} text
 */
const plain = (text) =>
  steady(text)
    .replaceAll(/chk-\d{8}-\d{6}(-\d+)? */g, 'ID ')
    .replaceAll(/The commit [0-9a-f]{7} /g, 'The commit HEAD ')
    // WASI does not show what the user ignores everywhere.
    .replaceAll(/^What the user ignores everywhere was not seen, and may be among the files\n/gm, '');

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

/**
 * Every command of rewinds, after two turns of an agent whose hook is that command line.
 *
 * @param {(cwd: string, words: string[], how?: {input: string}) => {code: number | null, out: string, error: string}}
 *   other the other command line
 */
export async function answersAlikeOfRewinds(t, other) {
  const roots = [onNode, other].map((run) => {
    const root = repository(t, { a: 'committed' });
    const event = (hook_event_name, more) => {
      const payload = { session_id: 's', cwd: root, hook_event_name, ...more };
      const answered = run(root, ['hook', 'claude-code'], { input: JSON.stringify(payload) });
      assert.deepEqual(answered, { code: 0, out: '', error: '' });
    };
    fs.mkdirSync(path.join(root, '.claude/config'), { recursive: true });
    fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), '{"agents": {"rewind": true}}');
    fs.writeFileSync(path.join(root, '.gitignore'), '.claude\n');
    git(root, 'add', '.');
    git(root, 'commit', '--quiet', '--message', 'second');
    run(root, ['phase', 'implement', 'parser', 'in_progress']);
    for (const [text, names] of Object.entries({ first: ['a'], second: ['a', 'new'] })) {
      event('UserPromptSubmit', { prompt: `the ${text} prompt` });
      for (const name of names) fs.writeFileSync(path.join(root, name), text);
      event('Stop');
    }
    return { run, root };
  });
  const named = (text) => plain(text).replaceAll(/\b[0-9a-f]{32}\b/g, 'PLAN');
  for (const { words, files: expected } of REWIND_CALLS) {
    await t.test(`milepost ${words.join(' ')}`, () => {
      const answers = roots.map(({ run, root }) => {
        const { code, out, error } = run(root, words);
        return { code, out: named(out), error: named(error) };
      });
      assert.deepEqual(answers[1], answers[0]);
      for (const { root } of roots) {
        const there = ['a', 'new'].filter((name) => fs.existsSync(path.join(root, name)));
        const found = there.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]);
        assert.deepEqual(Object.fromEntries(found), expected);
      }
    });
  }
}
