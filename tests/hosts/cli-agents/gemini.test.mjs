// Gemini CLI, as npm has it. What cannot be driven here: `/compress`, which without a terminal is a prompt like any
// other, and the question for trust of a folder.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { groups, PATIENCE, resumePoints } from './fixture.mjs';
import { generateContent, SNAPSHOT } from './generate-content.mjs';
import { calls, says } from './model.mjs';
import { tellRewind } from './rewind.mjs';
import { begin, LAST_MESSAGE, PHASES, RESUME_POINT, tellStory, work } from './story.mjs';

const { MILEPOST_GEMINI: modules } = process.env;
assert.ok(modules, 'MILEPOST_GEMINI names the node_modules that has Gemini CLI');
const program = path.join(modules, '@google/gemini-cli/bundle/gemini.js');

function todos(...statuses) {
  return calls('write_todos', {
    todos: PHASES.map((description, index) => ({ description, status: statuses[index] })),
  });
}

/** @type {import('./rewind.mjs').RewindableAgent} */
const gemini = {
  name: 'Gemini CLI',
  id: 'gemini',
  settings: '.gemini/settings.json',
  earlier: `{ // theirs
	"hooks":{"SessionStart" : [{"hooks":[ {"type":"command","command":"echo theirs >>theirs.log"}]}]}
}`,
  wire: generateContent,
  plans: [[todos('in_progress', 'pending')]],
  goesOn: [[todos('completed', 'in_progress')]],
  sends: [
    ...['SessionStart', 'BeforeAgent', 'AfterTool write_todos', 'AfterTool write_file', 'AfterTool replace'],
    ...['AfterAgent', 'SessionEnd'],
  ],
  writes: (_, file_path, content) => [[calls('write_file', { file_path, content })]],
  edits: (_, file_path, old_string, new_string) => [
    [calls('replace', { file_path, old_string, new_string, instruction: 'Renew it.' })],
  ],
  commands: (command) => [[calls('run_shell_command', { command, description: 'Make a table.' })]],
  goesOnBy: ['--resume', 'latest'],
  run(project, model, prompt, words) {
    project.atHome('.gemini/settings.json', JSON.stringify({ ...settings(words), hooks: groups(project) }));
    const env = {
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model.address,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    };
    // Without a model, it asks one which to take.
    const always = ['--model', 'gemini-2.5-flash', '--approval-mode', 'yolo'];
    const more = words.filter((word) => word !== SUMMED_UP);
    return project.run(program, [...always, ...more, '--prompt', prompt], model, env);
  },
};

/** For a session that is taken up again: it is summed up immediately. */
const SUMMED_UP = 'summed up';

/** Those of the user. */
function settings(words) {
  return {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    ...(words.includes(SUMMED_UP) && { model: { compressionThreshold: 0.0005 } }),
  };
}

tellStory(gemini);
tellRewind(gemini);

test('Gemini CLI gets the resume point when it sums its context up', PATIENCE, async (t) => {
  const { project, model, turn } = await begin(t, gemini);
  await turn('write a parser', work(gemini, project));
  assert.equal(model.asides.filter(isSummary).length, 0);
  // The part before a second prompt is summed up, and has to be longer than the summary.
  await turn('explain it', [[says(Array.from({ length: 2000 }, (_, n) => `Line ${n} is read.`).join('\n'))]]);
  const steps = await turn('go on', [[says('I go on.')]], { words: [...gemini.goesOnBy, SUMMED_UP] });
  assert.ok(model.asides.filter(isSummary).length > 0);
  const [next] = steps;
  assert.ok(JSON.stringify(next.asked.contents).includes(SNAPSHOT));
  assert.equal(resumePoints(next).at(-1).phase, RESUME_POINT.phase);
  assert.deepEqual(project.reasons(), []);
});

function isSummary({ url, asked }) {
  return url.includes(':generateContent') && JSON.stringify(asked).includes('<state_snapshot>');
}

test('a prompt that names a command begins its run in Gemini CLI', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, gemini);
  await turn('/design search', [[says('Designed.')]]);
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});
