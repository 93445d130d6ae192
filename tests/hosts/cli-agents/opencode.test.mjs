// OpenCode, as npm has it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { completions, SUMMARY } from './completions.mjs';
import { PATIENCE, resumePoints } from './fixture.mjs';
import { calls, says } from './model.mjs';
import { tellRewind } from './rewind.mjs';
import { begin, LAST_MESSAGE, PHASES, tellStory } from './story.mjs';

const { MILEPOST_OPENCODE: modules } = process.env;
assert.ok(modules, 'MILEPOST_OPENCODE names the node_modules that has OpenCode');

/** Its program is in a package for each system; what the package itself has runs once an install script has run. */
function program() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const report = /** @type {any} */ (process.report.getReport());
  const libc = process.platform === 'linux' && !report.header.glibcVersionRuntime ? '-musl' : '';
  // The first one runs on each processor.
  const names = ['-baseline', ''].map((kind) => `opencode-${system}-${process.arch}${kind}${libc}/bin/opencode`);
  const found = names.map((name) => path.join(modules, name)).find((file) => fs.existsSync(file));
  assert.ok(found, `${modules} has none of ${names.join(', ')}`);
  return found;
}

function todos(...statuses) {
  const items = PHASES.map((content, index) => ({ content, status: statuses[index], priority: 'medium' }));
  return calls('todowrite', { todos: items.map((item, index) => ({ id: `${index + 1}`, ...item })) });
}

/** The files that an install of the types for plugins leaves: with them, OpenCode does not ask the registry. */
const INSTALLED = {
  'node_modules/.keep': '',
  'package-lock.json': JSON.stringify({ packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } }),
  '.gitignore': 'node_modules\npackage.json\npackage-lock.json\nbun.lock\n',
};

/** A plugin of another tool. */
const THEIRS = `import { appendFileSync } from 'node:fs';

export const Theirs = async ({ directory }) => ({
  event: async ({ event }) => {
    if (event.type === 'session.created') appendFileSync(\`\${directory}/theirs.log\`, 'theirs\\n');
  },
});
`;

const PLUGIN = '.opencode/plugins/milepost.js';

/** @type {import('./rewind.mjs').RewindableAgent} */
const opencode = {
  name: 'OpenCode',
  id: 'opencode',
  settings: PLUGIN,
  files: {
    ...below('.opencode', INSTALLED),
    '.opencode/plugins/theirs.js': THEIRS,
    '.opencode/commands/design.md': 'Design $ARGUMENTS.\n',
  },
  wire: completions('write'),
  plans: [[todos('in_progress', 'pending')]],
  goesOn: [[todos('completed', 'in_progress')]],
  sends: [
    ...['session.created', 'chat.message', 'tool.execute.after todowrite', 'tool.execute.after write'],
    ...['tool.execute.after edit', 'session.idle', 'dispose'],
  ],
  writes: ({ root }, file, content) => [[calls('write', { filePath: path.join(root, file), content })]],
  edits({ root }, file, oldString, newString) {
    const filePath = path.join(root, file);
    return [[calls('read', { filePath })], [calls('edit', { filePath, oldString, newString })]];
  },
  commands: (command) => [[calls('bash', { command, description: 'Make a table' })]],
  goesOnBy: ['--continue'],
  run(project, model, prompt, words) {
    for (const [name, text] of Object.entries(below('.config/opencode', INSTALLED))) project.atHome(name, text);
    // Should it look for the types all the same, the model server has none.
    project.atHome('.npmrc', `registry=${model.address}/\nfetch-retries=0\n`);
    const [recorder] = Object.values(project.recorders);
    if (recorder) project.atHome('.config/opencode/plugins/recorder.js', recording(project.read(PLUGIN), recorder));
    const env = {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config(model)),
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: 'true',
      OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
    };
    const always = words.includes('--model') ? [] : ['--model', 'script/scripted-model'];
    // It puts quotes around a word that has a space.
    const typed = prompt.split(' ');
    return project.run(program(), ['run', ...always, ...words, ...typed], model, env);
  },
};

/** These files, in a folder. */
function below(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** Two models of the script, of which one is full after its first answer. */
function config({ address }) {
  const sized = (context) => ({ name: 'Scripted', tool_call: true, limit: { context, output: 1000 } });
  return {
    autoupdate: false,
    share: 'disabled',
    small_model: 'script/scripted-model',
    provider: {
      script: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Script',
        options: { baseURL: `${address}/v1`, apiKey: 'none' },
        models: { 'scripted-model': sized(200_000), 'small-model': sized(6000) },
      },
    },
  };
}

/** The plugin that is registered, as one of the user's that starts the recorder instead of the hook. */
function recording(plugin, [node, script, file]) {
  const line = /^const \[program, \.\.\.words\] = .*$/m;
  assert.match(plugin, line);
  return plugin.replace(/^\/\/.*\n/, '').replace(line, () => {
    return `const [program, ...words] = ${JSON.stringify([node, script, file])};`;
  });
}

tellStory(opencode);
tellRewind(opencode);

test('a compaction of OpenCode leaves a snapshot and is given the resume point', PATIENCE, async (t) => {
  const { project, model, turn } = await begin(t, opencode);
  const answers = [...opencode.plans, [says(LAST_MESSAGE)]];
  const steps = await turn('write a parser', answers, { words: ['--model', 'script/small-model'] });
  assert.match(JSON.stringify(steps.at(-1).asked.messages), new RegExp(SUMMARY));
  const given = model.asides.flatMap(resumePoints).map(({ phase, pending_phases }) => [phase, pending_phases]);
  assert.deepEqual(given, [[PHASES[0], [PHASES[1]]]]);
  assert.deepEqual(project.reasons(), ['handoff']);
});

test('files and the report of a subagent of OpenCode are in the run of its session', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, opencode);
  await turn('count', [
    ...opencode.plans,
    [calls('task', { description: 'Count', prompt: 'Count the files.', subagent_type: 'general' })],
    ...opencode.writes(project, 'count.txt', '6\n'),
    [says('There are six files.')],
    [says('It was counted.')],
  ]);
  assert.deepEqual(project.checkpoints().map(({ command }) => command), ['implement']);
  const { phases } = project.load('implement', 'dark-mode');
  const { files_created, subagent_summaries, context_summary } = phases[PHASES[0]];
  // The other tool writes down that the subagent begins, within the turn.
  const files = files_created.filter((file) => file !== 'theirs.log');
  assert.deepEqual(
    [files, subagent_summaries.map(({ summary }) => summary), context_summary],
    [['count.txt'], ['There are six files.'], 'It was counted.'],
  );
});

test('an error of the model leaves a snapshot of the work of OpenCode', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, opencode);
  await turn('write a parser', [...opencode.writes(project, 'parser.txt', 'parser\n'), 400], { code: 1 });
  assert.deepEqual(project.reasons(), ['error']);
  assert.deepEqual(project.load('implement', 'dark-mode').phases.work.files_created, ['parser.txt']);
});

test('a command begins its run in OpenCode', PATIENCE, async (t) => {
  const { project, turn } = await begin(t, opencode);
  await turn('search', [[says('Designed.')]], { words: ['--command', 'design'] });
  const { phases, feature } = project.load('design', 'search');
  assert.deepEqual([feature, Object.keys(phases)], ['search', []]);
});
