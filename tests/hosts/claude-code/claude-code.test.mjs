// Claude Code, where this step is asked for. What cannot be driven here: its question for trust of a folder,
// `/clear` and the status line, which are all of its terminal; and the snapshot where an error ends the
// turn, because without a terminal the hook of StopFailure is ended as soon as it has begun.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { groups, PATIENCE, resumePoints } from '../cli-agents/fixture.mjs';
import { messages } from '../cli-agents/messages.mjs';
import { calls, says } from '../cli-agents/model.mjs';
import { tellRewind } from '../cli-agents/rewind.mjs';
import { begin, PHASES, RESUME_POINT, tellStory, work } from '../cli-agents/story.mjs';

const { MILEPOST_CLAUDE_CODE: program } = process.env;
assert.ok(program, 'MILEPOST_CLAUDE_CODE names the program');

/** Tools that it offers only when it is asked for them. */
const finds = (...names) => [calls('ToolSearch', { query: `select:${names}`, max_results: names.length })];
const status = (index, status) => calls('TaskUpdate', { taskId: `${index + 1}`, status });

/** @type {import('../cli-agents/rewind.mjs').RewindableAgent} */
const claude = {
  name: 'Claude Code',
  id: 'claude-code',
  settings: '.claude/settings.json',
  earlier: `{
	"hooks":{"SessionStart" : [{"hooks":[ {"type":"command","command":"echo theirs >>theirs.log"} ]}]} }`,
  files: { '.claude/commands/design.md': 'Design $ARGUMENTS.\n' },
  wire: messages,
  plans: [
    finds('TaskCreate', 'TaskUpdate'),
    PHASES.map((subject) => calls('TaskCreate', { subject, description: 'As planned.' })),
    [status(0, 'in_progress')],
  ],
  goesOn: [[status(0, 'completed')], [status(1, 'in_progress')]],
  sends: [
    ...['SessionStart', 'UserPromptSubmit', 'PostToolUse TaskCreate', 'PostToolUse TaskUpdate', 'PostToolUse Write'],
    ...['PostToolUse Edit', 'Stop', 'SessionEnd'],
  ],
  writes: ({ root }, file, content) => [[calls('Write', { file_path: path.join(root, file), content })]],
  edits({ root }, file, old_string, new_string) {
    const file_path = path.join(root, file);
    return [[calls('Read', { file_path })], [calls('Edit', { file_path, old_string, new_string })]];
  },
  commands: (command) => [[calls('Bash', { command, description: 'Make a table' })]],
  goesOnBy: ['--continue'],
  run(project, model, prompt, words) {
    project.atHome('.claude/settings.json', JSON.stringify({ hooks: groups(project) }));
    const isList = words.includes(TODO_WRITE);
    const env = {
      CLAUDE_CONFIG_DIR: path.join(project.home, '.claude'),
      ANTHROPIC_BASE_URL: model.address,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Some models have no tools for plans without it; and one tool instead of four without tasks.
      CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
      ...(isList && { CLAUDE_CODE_ENABLE_TASKS: '0' }),
    };
    const allowed = ['Read', 'Write', 'Edit', 'Bash', 'TaskCreate', 'TaskUpdate', TODO_WRITE].join();
    const always = ['--model', 'claude-opus-5-5', '--allowedTools', allowed];
    const more = words.filter((word) => word !== TODO_WRITE);
    return project.run(program, ['--print', prompt, ...more, ...always], model, env);
  },
};

const TODO_WRITE = 'TodoWrite';

tellStory(claude);
tellRewind(claude);

test('a compaction of Claude Code leaves a snapshot, and what follows gets the resume point', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, claude);
  await turn('write a parser', work(claude, project));
  await turn('/compact', [[says('<summary>Summary of before.</summary>')]], { words: ['--continue'] });
  assert.deepEqual(project.reasons(), ['handoff']);
  const { phases } = project.load('implement', 'dark-mode');
  assert.equal(phases[PHASES[1]].subagent_summaries, undefined, 'the summary is no report of a subagent');

  const [next] = await turn('go on', [[says('I go on.')]], { words: ['--continue'] });
  assert.match(JSON.stringify(next.asked.messages), /Summary of before\./);
  assert.deepEqual(resumePoints(next).at(-1), RESUME_POINT);
});

test('a list of TodoWrite is a plan', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, claude);
  const list = (...statuses) => {
    const todos = PHASES.map((content, index) => ({ content, status: statuses[index], activeForm: 'Working' }));
    return [calls(TODO_WRITE, { todos })];
  };
  const lists = [list('in_progress', 'pending'), list('completed', 'in_progress')];
  await turn('write a parser', [finds(TODO_WRITE), ...lists, [says('Done.')]], { words: [TODO_WRITE] });
  const { phases } = project.load('implement', 'dark-mode');
  assert.deepEqual(Object.values(phases).map((phase) => phase.status), ['complete', 'in_progress']);
});

test('a report of a subagent of Claude Code is recorded', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, claude);
  const task = { description: 'Count', prompt: 'Count the files.', subagent_type: 'general-purpose' };
  const answers = [
    ...claude.plans,
    [calls('Agent', { ...task, run_in_background: false })],
    ...claude.writes(project, 'count.txt', '6\n'),
    [says('There are six files.')],
    [says('It was counted.')],
  ];
  await turn('count', answers);
  const { phases } = project.load('implement', 'dark-mode');
  const { files_created, subagent_summaries, context_summary } = phases[PHASES[0]];
  assert.deepEqual(
    [files_created, subagent_summaries.map(({ summary }) => summary), context_summary],
    [['count.txt'], ['There are six files.'], 'It was counted.'],
  );
});

test('an error of the model loses no file that Claude Code wrote before', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, claude);
  // After a refusal it asks again, in other words.
  await turn('write a parser', [...claude.writes(project, 'parser.txt', 'parser\n'), 500], { code: 1 });
  assert.deepEqual(project.load('implement', 'dark-mode').phases.work.files_created, ['parser.txt']);
});

test('a prompt that names a command begins its run in Claude Code', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, claude);
  await turn('/design search', [[says('Designed.')]]);
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});
