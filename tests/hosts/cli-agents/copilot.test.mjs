// Copilot CLI, as npm has it. Its plan is not seen, so that all of its work is in one phase. What is not driven here:
// its question for trust of a folder, which is its terminal's, and a compaction.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { completions } from './completions.mjs';
import { lineOf, PATIENCE } from './fixture.mjs';
import { calls, says } from './model.mjs';
import { tellRewind } from './rewind.mjs';
import { begin, tellStory, work } from './story.mjs';

const { MILEPOST_COPILOT: modules } = process.env;
assert.ok(modules, 'MILEPOST_COPILOT names the node_modules that has Copilot CLI');
const program = path.join(modules, '@github/copilot/npm-loader.js');

/** Allows every tool in a folder that is not trusted. */
const UNTRUSTED = '--allow-all-tools';

/** @type {import('./rewind.mjs').RewindableAgent} */
const copilot = {
  name: 'Copilot CLI',
  id: 'copilot',
  settings: '.github/hooks/milepost.json',
  earlier: `{"version":1,
	"hooks":{"sessionStart" : [ {"type":"command","bash":"echo theirs >>theirs.log"} ]} }`,
  files: { '.github/skills/design/SKILL.md': '---\nname: design\ndescription: Designs a part.\n---\n\nDesign it.\n' },
  wire: completions('create'),
  sends: [
    ...['sessionStart', 'userPromptSubmitted', 'postToolUse create', 'postToolUse edit'],
    ...['agentStop', 'sessionEnd'],
  ],
  writes: ({ root }, file, file_text) => [[calls('create', { path: path.join(root, file), file_text })]],
  edits: ({ root }, file, old_str, new_str) => [[calls('edit', { path: path.join(root, file), old_str, new_str })]],
  commands: (command) => [[calls('bash', { command, description: 'Make a table' })]],
  goesOnBy: ['--continue'],
  run(project, model, prompt, words) {
    project.atHome('.copilot/hooks/recorder.json', JSON.stringify({ version: 1, hooks: handlers(project) }));
    const env = {
      COPILOT_PROVIDER_BASE_URL: `${model.address}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      // It hides this word wherever it prints it.
      COPILOT_PROVIDER_API_KEY: 'made-up-key',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      // Allows every tool, and trusts the folder.
      ...(!words.includes(UNTRUSTED) && { COPILOT_ALLOW_ALL: 'true' }),
    };
    return project.run(program, [...words, '--prompt', prompt], model, env);
  },
};

/** The recorders of a project as its settings have hooks. */
function handlers({ recorders }) {
  const handler = (words) => ({ type: 'command', bash: lineOf(words), timeoutSec: 100 });
  return Object.fromEntries(Object.entries(recorders).map(([event, words]) => [event, [handler(words)]]));
}

tellStory(copilot);
tellRewind(copilot);

test('files and the report of a subagent of Copilot CLI are in the run of its session', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, copilot);
  const task = { agent_type: 'general-purpose', description: 'Count', prompt: 'Count the files.', name: 'counter' };
  await turn('count', [
    ...copilot.writes(project, 'parser.txt', 'parser\n'),
    [calls('task', { ...task, mode: 'sync' })],
    ...copilot.writes(project, 'count.txt', '6\n'),
    [says('There are six files.')],
    [says('It was counted.')],
  ]);
  assert.deepEqual(project.checkpoints().map(({ command }) => command), ['implement']);
  const { files_created, subagent_summaries, context_summary } = project.load('implement', 'dark-mode').phases.work;
  assert.deepEqual(
    [files_created, subagent_summaries.map(({ summary }) => summary), context_summary],
    [['parser.txt', 'count.txt'], ['There are six files.'], 'It was counted.'],
  );
});

test('an error of the model leaves a snapshot of the work of Copilot CLI', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, copilot);
  await turn('write a parser', [...copilot.writes(project, 'parser.txt', 'parser\n'), 400], { code: 1 });
  assert.deepEqual(project.reasons(), ['error']);
  assert.deepEqual(project.load('implement', 'dark-mode').phases.work.files_created, ['parser.txt']);
});

test('a prompt that names a command begins its run in Copilot CLI', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, copilot);
  await turn('/design search', [[says('Designed.')]]);
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});

test('Copilot CLI runs no hook of a project that it does not trust', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, copilot);
  await turn('write a parser', work(copilot, project), { words: [UNTRUSTED] });
  assert.equal(project.read('parser.txt'), 'parser\n');
  assert.deepEqual([project.checkpoints(), project.has('theirs.log')], [[], false]);
});
