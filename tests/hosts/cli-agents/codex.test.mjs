// Codex, as npm has it. What cannot be driven here: its review of hooks (`/hooks`), a compaction that a user asks
// for and an interruption, which are all of its terminal.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { groups, PATIENCE, resumePoints } from './fixture.mjs';
import { calls, says } from './model.mjs';
import { responses } from './responses.mjs';
import { tellRewind } from './rewind.mjs';
import { begin, LAST_MESSAGE, PHASES, RESUME_POINT, tellStory, work } from './story.mjs';

const { MILEPOST_CODEX: modules } = process.env;
assert.ok(modules, 'MILEPOST_CODEX names the node_modules that has Codex');
const program = path.join(modules, '@openai/codex/bin/codex.js');

function plan(...statuses) {
  return calls('update_plan', { plan: PHASES.map((step, index) => ({ step, status: statuses[index] })) });
}

const patch = (...lines) => calls('apply_patch', ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'));

/** @type {import('./rewind.mjs').RewindableAgent} */
const codex = {
  name: 'Codex',
  id: 'codex',
  settings: '.codex/hooks.json',
  earlier: '{"hooks":{"SessionStart" : [{"hooks":[ {"type":"command","command":"echo theirs >>theirs.log"}]}]}\n\n}',
  wire: responses,
  plans: [[plan('in_progress', 'pending')]],
  goesOn: [[plan('completed', 'in_progress')]],
  sends: [
    ...['SessionStart', 'UserPromptSubmit', 'PostToolUse update_plan', 'PostToolUse apply_patch'],
    ...['PostModelRequest', 'Stop', 'SessionEnd'],
  ],
  writes: (_, file, text) => [[patch(`*** Add File: ${file}`, `+${text.trimEnd()}`)]],
  edits: (_, file, old, text) => [[patch(`*** Update File: ${file}`, '@@', `-${old}`, `+${text}`)]],
  commands: (cmd) => [[calls('exec_command', { cmd })]],
  goesOnBy: ['resume', '--last'],
  run: (project, model, prompt, words) => exec(project, model, [TRUSTING, ...words, prompt]),
};

/** The words of a user for `/hooks`. */
const TRUSTING = '--dangerously-bypass-hook-trust';

/** @type {(project: import('./story.mjs').Project, model: import('./model.mjs').Model, words: string[]) => any} */
function exec(project, model, words) {
  project.atHome('.codex/hooks.json', JSON.stringify({ hooks: groups(project) }));
  project.atHome(
    '.codex/config.toml',
    `model = "gpt-5.5"
model_provider = "script"
approval_policy = "never"
# The tests run where there may be no user namespaces.
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[features]
plugins = false
apps = false

[analytics]
enabled = false

[otel]
metrics_exporter = "none"

[tools.update_plan]
enabled = true

[model_providers.script]
name = "script"
base_url = "${model.address}/v1"
wire_api = "responses"
env_key = "SCRIPT_KEY"

[projects."${project.root}"]
trust_level = "trusted"
`,
  );
  const env = { CODEX_HOME: path.join(project.home, '.codex'), SCRIPT_KEY: 'none' };
  return project.run(program, ['exec', ...words], model, env);
}

tellStory(codex);
tellRewind(codex);

test('a compaction of Codex leaves a snapshot, and what follows gets the resume point', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, codex);
  const answers = [...codex.plans, [says('Summary of before.')], [says(LAST_MESSAGE)]];
  const [first, compaction, next] = await turn('write a parser', answers, {
    words: ['-c', 'model_auto_compact_token_limit=4000'],
  });
  assert.ok(first.asked.tools.length > 0);
  assert.deepEqual(compaction.asked.tools ?? [], []);
  assert.match(JSON.stringify(next.asked.input), /Summary of before\./);
  const { command, feature, phase_status } = RESUME_POINT;
  const inPlan = { phase: PHASES[0], phase_status, pending_phases: [PHASES[1]] };
  assert.deepEqual(resumePoints(next), [{ command, feature, ...inPlan }]);
  assert.deepEqual(project.reasons(), ['handoff']);
});

test('an error of the model leaves a snapshot of the work of Codex', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, codex);
  await turn('write a parser', [...codex.writes(project, 'parser.txt', 'parser\n'), 400], { code: 1 });
  assert.deepEqual(project.reasons(), ['error']);
  const { phases } = project.load('implement', 'dark-mode');
  assert.deepEqual(phases.work.files_created, ['parser.txt']);
});

test('a report and a file of a subagent of Codex are recorded', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, codex);
  const ofAgents = (tool, input) => ({ ...calls(tool, input), namespace: 'multi_agent_v1' });
  const waits = ({ input }) => {
    const { output } = input.findLast(({ type }) => type === 'function_call_output');
    return [ofAgents('wait_agent', { targets: [JSON.parse(output).agent_id], timeout_ms: PATIENCE.timeout })];
  };
  const spawns = [ofAgents('spawn_agent', { message: 'Count the files.' })];
  const ofSubagent = [...codex.writes(project, 'count.txt', '6\n'), [says('There are six files.')]];
  await turn('count', [...codex.plans, spawns, waits, [says('It was counted.')]], { ofSubagent });
  const { phases } = project.load('implement', 'dark-mode');
  const { files_created, subagent_summaries, context_summary } = phases[PHASES[0]];
  assert.deepEqual(
    [files_created, subagent_summaries.map(({ summary }) => summary), context_summary],
    [['count.txt'], ['There are six files.'], 'It was counted.'],
  );
});

test('a prompt that names a command begins its run in Codex', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, codex);
  await turn('/design search', [[says('Designed.')]]);
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});

test('Codex runs no hook that was not reviewed', PATIENCE, async (t) => {
  const { project, model } = await begin(t, codex);
  model.script.push(...work(codex, project));
  const { code } = await exec(project, model, ['write a parser']);
  assert.deepEqual([code, model.script, project.checkpoints()], [0, [], []]);
});
