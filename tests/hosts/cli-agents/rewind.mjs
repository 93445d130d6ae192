// A rewind in the middle of a session of a real agent, and what the agent gets to know of it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { noticesOf, PATIENCE } from './fixture.mjs';
import { says } from './model.mjs';
import { begin } from './story.mjs';

/**
 * An agent whose session goes on in another process.
 *
 * @typedef {import('./story.mjs').Agent & Rewindable} RewindableAgent
 *
 * @typedef {object} Rewindable
 * @property {(command: string) => import('./model.mjs').Answer[]} commands a line for the shell
 * @property {string[]} goesOnBy the words by which a prompt goes to the last session
 */

/** Each turn: its prompt, and what changes by it. A command makes a file, changes one and deletes one. */
const PROMPTS = ['write a parser', 'renew the notes', 'make a table'];
const COMMAND = "printf 'table\\n' >table.txt; printf 'lexer\\n' >parser.txt; rm notes.txt";

/** The files of the story and their contents; null for one that is not there. */
const AT_FIRST = { 'parser.txt': null, 'notes.txt': 'old\n', 'table.txt': null };
const AT_SECOND = { ...AT_FIRST, 'parser.txt': 'parser\n' };
const AT_LAST = { 'parser.txt': 'lexer\n', 'notes.txt': null, 'table.txt': 'table\n' };

/** The file of a person, who writes it between two turns. */
const MINE = 'mine.txt';

/** The sentence that the model is sent of a rewind to before a prompt. */
const noticeOf = (prompt, ...undone) =>
  `Since your last turn the user rewound the files of this project to before the prompt "${prompt}". Your later ` +
  `changes of these are undone: ${undone.join(', ')}. Read them again before you change them, and do not build on ` +
  'what is undone.';

/** Four prompts, each in a process of its own. */
const LIMIT = { timeout: 4 * PATIENCE.timeout };

/** @param {RewindableAgent} agent */
export function tellRewind(agent) {
  const { name, id, writes, edits, commands, goesOnBy } = agent;

  test(`${name} goes back to before its first prompt, and its model is sent what is undone`, LIMIT, async (t) => {
    const { project, turn } = await begin(t, agent);
    project.milepost('init');
    project.put('.claude/config/integrations.json', '{ "agents": { "rewind": true } }\n');
    const asJson = (...words) => JSON.parse(project.milepost(...words, '--json'));
    const rewind = (...words) => asJson('rewind', ...words, '--yes');
    const contents = () => {
      const all = Object.keys(AT_FIRST).map((file) => [file, project.has(file) ? project.read(file) : null]);
      return Object.fromEntries(all);
    };
    const goOn = async (prompt, answers) => {
      const steps = await turn(prompt, [...answers, [says('Done.')]], { words: goesOnBy });
      return steps.flatMap(noticesOf);
    };

    const [first, second, third] = PROMPTS;
    assert.deepEqual(contents(), AT_FIRST);
    const begun = await turn(first, [...writes(project, 'parser.txt', 'parser\n'), [says('Done.')]]);
    assert.deepEqual(contents(), AT_SECOND);
    assert.deepEqual(begun.flatMap(noticesOf), []);
    assert.deepEqual(await goOn(second, edits(project, 'notes.txt', 'old', 'new')), []);
    project.put(MINE, 'by a person\n');
    assert.deepEqual(await goOn(third, commands(COMMAND)), []);
    assert.deepEqual(contents(), AT_LAST);

    const prompts = asJson('rewind');
    assert.deepEqual(prompts.map(({ prompt, agent, complete }) => [prompt, agent, complete]), [
      ...[third, second, first].map((prompt) => [prompt, id, true]),
    ]);
    assert.equal(new Set(prompts.map(({ session }) => session)).size, 1, 'one session, in three processes');

    const back = rewind('--to', first);
    assert.equal(back.restored, true);
    assert.deepEqual(back.plan.changes.map(({ path }) => path), ['notes.txt', 'parser.txt', 'table.txt']);
    assert.ok(back.plan.left.some(({ path }) => path === MINE));
    assert.deepEqual(contents(), AT_FIRST);
    assert.equal(project.read(MINE), 'by a person\n');

    const [notice, ...others] = await goOn('go on', []);
    assert.deepEqual([notice, others], [noticeOf(first, 'notes.txt', 'parser.txt', 'table.txt'), []]);

    assert.equal(rewind('--undo').restored, true);
    assert.deepEqual(contents(), AT_LAST);

    assert.equal(rewind('--to', second).restored, true);
    assert.deepEqual(contents(), AT_SECOND);
  });
}
