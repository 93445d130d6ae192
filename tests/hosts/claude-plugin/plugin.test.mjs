// The plugin for Claude Code, as it is installed: its files, its hooks, its server, and what its skill teaches.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { Client } from '../mcp/client.mjs';
import { repository, require } from '../node/fixture.mjs';
import { edit, environment, filledIn, fire, installed, project, readJson } from './claude-code.mjs';

const { version, license } = require('milepost/package.json');

const SILENT = { code: 0, out: '', error: '' };

/** Of a test that runs what is for a POSIX shell. */
const needsShell = { skip: process.platform === 'win32' && 'Claude Code has another shell there' };

/** The programs that the plugin names. */
function programs(plugin) {
  const { hooks } = readJson(plugin, 'hooks/hooks.json');
  const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  return [...handlers, ...Object.values(readJson(plugin, '.mcp.json').mcpServers)];
}

function files(plugin) {
  const entries = fs.readdirSync(plugin, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory());
}

/** The state of the one checkpoint that there is. */
function checkpoint(root) {
  const folder = path.join(root, '.claude/state');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  assert.equal(names.length, 1, names.join(' '));
  return readJson(folder, names[0]);
}

test('every file that the plugin names is there', (t) => {
  const plugin = installed(t);
  const started = programs(plugin);
  assert.ok(started.length > 8, 'eight events and a server');
  for (const { command, args } of started) {
    assert.equal(command, 'node');
    assert.match(args[0], /^\$\{CLAUDE_PLUGIN_ROOT\}\//);
    assert.ok(fs.existsSync(filledIn(plugin, args[0])), args[0]);
  }
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'LICENSES-BUNDLED.txt', 'README.md']) {
    assert.ok(fs.statSync(path.join(plugin, name)).size > 0, name);
  }
});

test('the plugin has the name and version of the package, and nothing to install', (t) => {
  const plugin = installed(t);
  const manifest = readJson(plugin, '.claude-plugin/plugin.json');
  assert.deepEqual([manifest.name, manifest.version, manifest.license], ['milepost', version, license]);
  const { plugins } = readJson(plugin, '.claude-plugin/marketplace.json');
  assert.deepEqual(plugins.map(({ name, source }) => [name, source]), [['milepost', './']]);
  const { scripts, dependencies } = readJson(plugin, 'package.json');
  assert.deepEqual([scripts, dependencies], [undefined, undefined]);
  for (const entry of files(plugin)) {
    assert.ok(entry.isFile(), `${entry.name} is a link`);
    assert.doesNotMatch(path.join(entry.parentPath, entry.name), /node_modules|lock\.json|shrinkwrap|\.node$/);
  }
});

test('a session of the plugin is recorded, and the next one gets the resume point', (t) => {
  const [plugin, root] = [installed(t), project(t)];
  assert.deepEqual(fire(plugin, root, 'SessionStart', { source: 'startup' }), [SILENT]);
  assert.deepEqual(edit(plugin, root, 'src/printer.rs'), [SILENT]);
  assert.deepEqual(fire(plugin, root, 'Stop', { last_assistant_message: 'The printer writes lists.' }), [SILENT]);
  assert.deepEqual(fire(plugin, root, 'SessionEnd', { reason: 'other' }), [SILENT]);

  const { feature, phases } = checkpoint(root);
  const [phase] = Object.values(phases);
  assert.equal(feature, 'dark-mode');
  assert.deepEqual(phase.files_created ?? phase.files_modified, ['src/printer.rs']);
  assert.equal(phase.context_summary, 'The printer writes lists.');

  const [first, ...more] = fire(plugin, root, 'SessionStart', { source: 'startup', session_id: 's2' });
  assert.deepEqual([more, first.code, first.error], [[], 0, '']);
  const { hookEventName, additionalContext } = JSON.parse(first.out).hookSpecificOutput;
  assert.equal(hookEventName, 'SessionStart');
  assert.match(additionalContext, /dark-mode/);
});

test('an event of the plugin is silent where the project has no run', (t) => {
  const [plugin, root] = [installed(t), project(t)];
  for (const event of Object.keys(readJson(plugin, 'hooks/hooks.json').hooks)) {
    if (event !== 'PostToolUse') assert.deepEqual(fire(plugin, root, event), [SILENT], event);
  }
  assert.ok(!fs.existsSync(path.join(root, '.claude')));
});

test("the plugin’s server has all tools, and works in the project", async (t) => {
  const [plugin, root] = [installed(t), project(t)];
  const { args } = readJson(plugin, '.mcp.json').mcpServers.milepost;
  const [program, verb, ...words] = args.map((word) => filledIn(plugin, word));
  assert.equal(verb, 'mcp');
  const client = new Client(t, root, { program, words, env: environment(root) });
  await client.open();
  const { tools } = await client.ask('tools/list');
  assert.ok(tools.some(({ name }) => name === 'milepost_resume'));
  const begun = { command: 'implement', phases: ['printer'] };
  await client.ask('tools/call', { name: 'milepost_begin', arguments: begun });
  assert.deepEqual(checkpoint(root).state.pending_phases, ['printer']);
  const [first] = fire(plugin, root, 'SessionStart', { source: 'startup' });
  assert.match(first.out, /printer/, 'the hook reads what the server wrote');
});

/** Runs a line as the agent's shell does, with the plugin's `bin` on its path. */
function inShell(plugin, root, line) {
  const env = environment(root);
  const run = spawnSync('sh', ['-c', line], {
    cwd: root,
    env: { ...env, PATH: `${path.join(plugin, 'bin')}:${env.PATH}` },
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

test('a command that a hook of the plugin shows works in the shell of the agent', needsShell, (t) => {
  const [plugin, root] = [installed(t), project(t)];
  assert.deepEqual(edit(plugin, root, 'src/printer.rs'), [SILENT]);
  const [{ out }] = fire(plugin, root, 'SessionStart', { source: 'startup', session_id: 's2' });
  const { additionalContext } = JSON.parse(out).hookSpecificOutput;
  const [, line] = /`(milepost [^`]* --take)`/.exec(additionalContext) ?? [];
  assert.ok(line, additionalContext);
  const { code, error } = inShell(plugin, root, line);
  assert.equal(code, 0, `${line}: ${error}`);
});

test('every line that the skill teaches works', needsShell, (t) => {
  const [plugin, root] = [installed(t), project(t)];
  const skill = fs.readFileSync(path.join(plugin, 'skills/milepost/SKILL.md'), 'utf8');
  assert.match(skill, /^---\nname: milepost\ndescription: .{1,1536}\n---\n/);
  assert.deepEqual(inShell(plugin, root, 'milepost resume').code, 1, 'nothing is unfinished');
  const blocks = [...skill.matchAll(/^```\n(.*?)^```$/gms)].flatMap(([, block]) => block.trim().split('\n'));
  const phrases = [...skill.matchAll(/`(milepost [a-z][^`]*)`/g)].map(([, line]) => line);
  // To look at a snapshot, there has to be one; and the end of a run archives its own.
  const turn = (line) => ['verify', 'complete'].findIndex((verb) => line.split(' ').slice(1, 3).includes(verb));
  const lines = [...blocks, ...phrases].sort((a, b) => turn(a) - turn(b));
  for (const line of lines.filter((line) => line !== 'milepost resume' && line !== 'milepost snapshot restore')) {
    // A phase that failed is in the way of the end.
    if (line.startsWith('milepost complete')) inShell(plugin, root, 'milepost phase implement printer skipped');
    const { code, error } = inShell(plugin, root, line);
    assert.equal(code, 0, `${line}: ${error}`);
  }
  assert.ok(lines.length >= 8, lines.join('\n'));
  const [, spelled] = /`(node "[^`]+)`/.exec(skill);
  const { code, out } = inShell(plugin, root, `${filledIn(plugin, spelled)} --version`);
  assert.deepEqual([code, out], [0, `milepost ${version}\n`]);
});

test('what the skill of rewinds teaches lists prompts, plans, takes back a turn, and undoes that', needsShell, (t) => {
  const [plugin, root] = [installed(t), repository(t, { 'a.txt': 'one\n' })];
  fs.mkdirSync(path.join(root, 'home'));
  const skill = fs.readFileSync(path.join(plugin, 'skills/rewind/SKILL.md'), 'utf8');
  assert.match(skill, /^---\nname: rewind\ndescription: .{1,1536}\nargument-hint: .+\ndisable-model-invocation: true\n---\n/);
  const lines = [...skill.matchAll(/^```\n(.*)\n```$/gm)].map(([, line]) => line);
  assert.deepEqual(lines, ['milepost rewind', 'milepost rewind --to ID --dry-run', 'milepost rewind --to ID --plan PLAN']);
  const [list, plan] = lines;
  const run = (line) => {
    const { code, out, error } = inShell(plugin, root, line);
    assert.equal(code, 0, `${line}: ${error}`);
    return out;
  };
  run('milepost init');
  fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), '{"agents": {"rewind": true}}');
  const file = path.join(root, 'a.txt');
  assert.deepEqual(fire(plugin, root, 'UserPromptSubmit', { prompt: 'tidy up the parser' }), [SILENT]);
  // As a shell command does, which no hook sees.
  fs.writeFileSync(file, 'two\n');
  assert.deepEqual(fire(plugin, root, 'Stop'), [SILENT]);
  assert.deepEqual(fire(plugin, root, 'UserPromptSubmit', { prompt: '/milepost:rewind the parser' }), [SILENT]);

  const [own, meant] = run(list).trimEnd().split('\n');
  assert.match(own, /^1 .*\/milepost:rewind the parser$/);
  const [, id] = /^2 +(chk-[\d-]+) .*tidy up the parser$/.exec(meant);
  const [, does] = /`(milepost rewind --to [^`]+ --plan [^`]+)` does this/.exec(run(plan.replace('ID', id)));
  assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
  run(does);
  assert.equal(fs.readFileSync(file, 'utf8'), 'one\n');
  const phrases = [...skill.matchAll(/`(milepost rewind --undo[^`]*)`/g)].map(([, line]) => line);
  assert.deepEqual(phrases, ['milepost rewind --undo', 'milepost rewind --undo --dry-run']);
  run(phrases[1]);
  run(phrases[0]);
  assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
});

test('a database that cannot be reached is refused with what to install', needsShell, (t) => {
  const [plugin, root] = [installed(t), project(t)];
  const { code, error } = inShell(plugin, root, 'PG=x milepost status --store env:PG --project p');
  assert.equal(code, 64);
  assert.match(error, /a project that depends on milepost and `pg`/);
});
