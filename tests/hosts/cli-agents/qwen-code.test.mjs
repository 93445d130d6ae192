// Qwen Code, as npm has it. What is not driven here: the question for trust of a folder and the end of a session, which
// are its terminal's, and an error of the model, of which it sends no event.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { completions } from './completions.mjs';
import { groups, PATIENCE, resumePoints } from './fixture.mjs';
import { calls, says } from './model.mjs';
import { tellRewind } from './rewind.mjs';
import { begin, PHASES, RESUME_POINT, tellStory, work } from './story.mjs';

const { MILEPOST_QWEN_CODE: modules, MILEPOST_AGENTS_NODE: node } = process.env;
assert.ok(modules, 'MILEPOST_QWEN_CODE names the node_modules that has Qwen Code');
const program = path.join(modules, '@qwen-code/qwen-code/cli-entry.js');

function todos(...statuses) {
  const items = PHASES.map((content, index) => ({ id: `${index + 1}`, content, status: statuses[index] }));
  return calls('todo_write', { todos: items });
}

/** @type {import('./rewind.mjs').RewindableAgent} */
const qwen = {
  name: 'Qwen Code',
  id: 'qwen-code',
  settings: '.qwen/settings.json',
  // It writes the version into a file that has none, in a layout of its own.
  earlier: `{ "$version":4,
	"hooks":{"SessionStart" : [{"hooks":[ {"type":"command","command":"echo theirs >>theirs.log"}]}]}
}`,
  files: { '.qwen/commands/design.md': 'Design {{args}}.\n' },
  wire: completions('write_file'),
  plans: [[todos('in_progress', 'pending')]],
  goesOn: [[todos('completed', 'in_progress')]],
  endsUnseen: true,
  sends: [
    ...['SessionStart', 'UserPromptSubmit', 'PostToolUse todo_write', 'PostToolUse write_file', 'PostToolUse edit'],
    'Stop',
  ],
  writes: ({ root }, file, content) => [[calls('write_file', { file_path: path.join(root, file), content })]],
  edits({ root }, file, old_string, new_string) {
    const file_path = path.join(root, file);
    return [[calls('read_file', { file_path })], [calls('edit', { file_path, old_string, new_string })]];
  },
  commands: (command) => [[calls('run_shell_command', { command, is_background: false })]],
  goesOnBy: ['--continue'],
  run(project, model, prompt, words) {
    project.atHome('.qwen/settings.json', JSON.stringify({ ...SETTINGS, hooks: groups(project) }));
    const env = {
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${model.address}/v1`,
      OPENAI_MODEL: 'scripted-model',
      QWEN_CODE_SKIP_UPDATE_CHECK_ONCE: 'true',
    };
    const always = ['--auth-type', 'openai', '--model', 'scripted-model', '--approval-mode', 'yolo'];
    return project.run(program, [...always, ...words, '--prompt', prompt], model, env, node);
  },
};

/** Those of the user: the plan's tool, and nothing that it asks the model or others beside its work. */
const SETTINGS = {
  $version: 4,
  security: { auth: { selectedType: 'openai' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  tools: { todoWrite: { enabled: true } },
};

tellStory(qwen);
tellRewind(qwen);

test('a compaction of Qwen Code leaves a snapshot and the resume point', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, qwen);
  await turn('write a parser', work(qwen, project));
  await turn('/compress', [], { words: ['--continue'] });
  assert.deepEqual(project.reasons(), ['handoff']);

  const [next] = await turn('go on', [[says('I go on.')]], { words: ['--continue'] });
  assert.deepEqual(resumePoints(next).at(-1), RESUME_POINT);
});

test('files and the report of a subagent of Qwen Code are in the run of its session', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, qwen);
  const task = { description: 'Count', prompt: 'Count the files.', subagent_type: 'general-purpose' };
  await turn('count', [
    ...qwen.plans,
    [calls('agent', { ...task, run_in_background: false })],
    ...qwen.writes(project, 'count.txt', '6\n'),
    [says('There are six files.')],
    [says('It was counted.')],
  ]);
  const { phases } = project.load('implement', 'dark-mode');
  const { files_created, subagent_summaries, context_summary } = phases[PHASES[0]];
  assert.deepEqual(
    [files_created, subagent_summaries.map(({ summary }) => summary), context_summary],
    [['count.txt'], ['There are six files.'], 'It was counted.'],
  );
});

test('a prompt that names a command begins its run in Qwen Code', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, qwen);
  await turn('/design search', [[says('Designed.')]]);
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});
