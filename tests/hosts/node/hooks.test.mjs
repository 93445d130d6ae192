// Hooks in the settings of coding agents, by the package's bin.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { bin, emptyFolder, installed, require } from './fixture.mjs';

const AGENTS = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'qwen-code'];

/** Of a test that starts what agents start, in a shell as agents have it. */
const needsShell = { skip: process.platform === 'win32' && 'agents have other shells there' };

/** A project that depends on the package, in the home of a user. */
function project(t) {
  const root = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.git'));
  const dependency = path.join(root, 'node_modules/milepost');
  fs.mkdirSync(path.join(dependency, 'bin'), { recursive: true });
  fs.writeFileSync(path.join(dependency, 'package.json'), '{"name":"milepost","exports":{"./hook":"./bin/hook.js"}}');
  const said = `process.stdout.write(JSON.stringify(process.argv.slice(2)));`;
  fs.writeFileSync(path.join(dependency, 'bin/hook.js'), said);
  return root;
}

/** A project that depends on the package under test. */
function realProject(t) {
  const root = project(t);
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.rmSync(path.join(root, 'node_modules/milepost'), { recursive: true });
  place(installed, path.join(root, 'node_modules/milepost'));
  fs.mkdirSync(path.join(root, 'home'));
  return root;
}

/** Links a folder, or copies it where a system has no links from one drive to another. */
function place(folder, at) {
  try {
    fs.symlinkSync(folder, at, 'junction');
  } catch (error) {
    if (error.code !== 'ENOTSUP') throw error;
    fs.cpSync(folder, at, { recursive: true });
  }
}

/** The environment of a user whose home is in the project's folder. */
function environment(root) {
  const env = { ...process.env, HOME: path.join(root, 'home'), USERPROFILE: path.join(root, 'home') };
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'XDG_CONFIG_HOME']) delete env[name];
  return env;
}

function milepost(root, ...words) {
  return ran(root, 'hooks', ...words);
}

function ran(root, ...words) {
  const env = environment(root);
  const run = spawnSync(process.execPath, [bin, ...words], { cwd: root, env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

function read(root, file) {
  return fs.readFileSync(path.join(root, file), 'utf8');
}

/** Every handler that an agent would run for an event. */
function handlers(root, file) {
  const { hooks } = JSON.parse(read(root, file));
  return Object.values(hooks).flatMap((list) => list.flatMap((entry) => entry.hooks ?? [entry]));
}

/** Runs a handler as an agent would. */
function started(root, { command, bash }, { input = {}, ...variables } = {}) {
  const env = { ...environment(root), CLAUDE_PROJECT_DIR: root, ...variables };
  const how = { cwd: root, env, input: JSON.stringify(input), encoding: 'utf8', shell: true };
  const run = spawnSync(command ?? bash, /** @type {any} */ (how));
  return { code: run.status, out: run.stdout, error: run.stderr };
}

test('settings are unchanged after hooks came and went', (t) => {
  const root = project(t);
  const before = '{\r\n  // mine\r\n  "model": "x",\r\n}\r\n';
  fs.mkdirSync(path.join(root, '.claude'));
  fs.writeFileSync(path.join(root, '.claude/settings.json'), before);
  const all = fs.readdirSync(root);
  milepost(root, 'install', ...AGENTS);
  assert.match(read(root, '.claude/settings.json'), /^\{\r\n {2}\/\/ mine\r\n {2}"model": "x",\r\n {2}"hooks": \{\r\n/);
  const once = read(root, '.cursor/hooks.json');
  milepost(root, 'install', ...AGENTS);
  assert.equal(read(root, '.cursor/hooks.json'), once);
  milepost(root, 'remove', ...AGENTS);
  assert.equal(read(root, '.claude/settings.json'), before);
  assert.deepEqual(fs.readdirSync(path.join(root, '.claude')), ['settings.json']);
  // Of what install made, only a folder that others use as well is left.
  assert.deepEqual(fs.readdirSync(root).filter((name) => !all.includes(name)), ['.github', '.opencode']);
});

test('a registered entry starts the hook, and is silent where the package is not there', needsShell, (t) => {
  const root = project(t);
  milepost(root, 'install', 'claude-code', 'codex', 'copilot');
  const registered = {
    'claude-code': handlers(root, '.claude/settings.json')[0],
    codex: handlers(root, '.codex/hooks.json')[0],
    copilot: handlers(root, '.github/hooks/milepost.json')[0],
  };
  for (const [agent, handler] of Object.entries(registered)) {
    const words = agent === 'copilot' ? [agent, 'sessionStart'] : [agent];
    assert.deepEqual(started(root, handler), { code: 0, out: JSON.stringify(words), error: '' });
  }
  const below = path.join(root, 'src');
  fs.mkdirSync(below);
  assert.equal(started(below, registered.codex).out, '["codex"]', 'from a folder of the project');
  const elsewhere = { CLAUDE_PROJECT_DIR: root };
  assert.equal(started(emptyFolder(t), registered['claude-code'], elsewhere).out, '["claude-code"]', 'from anywhere');
  fs.rmSync(path.join(root, 'node_modules'), { recursive: true });
  for (const handler of Object.values(registered)) {
    assert.deepEqual(started(root, handler), { code: 0, out: '', error: '' });
    // A shell says it, with an exit code that agents do not show.
    const { code, out } = started(root, handler, { PATH: path.join(root, 'none') });
    assert.deepEqual({ code, out }, { code: 0, out: '' }, 'where node is not there');
  }
});

test('a status line that was there is run, with the package and without it', needsShell, (t) => {
  const root = project(t);
  fs.mkdirSync(path.join(root, '.claude'));
  const before = JSON.stringify({ statusLine: { type: 'command', command: 'node -p 20+3' } });
  fs.writeFileSync(path.join(root, '.claude/settings.json'), before);
  milepost(root, 'install', 'claude-code');
  const line = JSON.parse(read(root, '.claude/settings.json')).statusLine;
  assert.equal(started(root, line).out, '["statusline","--then","node -p 20+3"]');
  fs.rmSync(path.join(root, 'node_modules'), { recursive: true });
  assert.equal(started(root, line).out, '23\n');
  milepost(root, 'remove', 'claude-code');
  assert.equal(read(root, '.claude/settings.json'), before);
});

test('the plugin for OpenCode is a module, and sends the events to the hook', needsShell, async (t) => {
  const root = project(t);
  const heard = path.join(root, 'heard');
  fs.writeFileSync(
    path.join(root, 'node_modules/milepost/bin/hook.js'),
    `const fs = require('node:fs');
     const payload = JSON.parse(fs.readFileSync(0, 'utf8'));
     fs.appendFileSync(${JSON.stringify(heard)}, JSON.stringify([process.argv.slice(2), payload]) + '\\n');
     if (payload.event === 'session.created') process.stdout.write('{"additionalContext":"carry on"}');`,
  );
  milepost(root, 'install', 'opencode');
  const copy = path.join(root, 'plugin.mjs');
  fs.copyFileSync(path.join(root, '.opencode/plugins/milepost.js'), copy);
  const { Milepost } = await import(pathToFileURL(copy).href);
  const messages = async () => ({ data: [{ info: { role: 'assistant' }, parts: [{ type: 'text', text: 'done' }] }] });
  const hooks = await Milepost({ client: { session: { messages } }, directory: root });
  await hooks.event({ event: { type: 'session.created', properties: { info: { id: 's' } } } });
  const output = { message: { id: 'm' }, parts: [{ type: 'text', text: '/implement a' }] };
  await hooks['chat.message']({ sessionID: 's', messageID: 'm' }, output);
  assert.equal(output.parts[1].text, 'carry on');
  assert.equal(output.parts.length, 2);
  await hooks['tool.execute.after']({ tool: 'write', sessionID: 's', args: { filePath: 'a' } }, {});
  await hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', args: {} }, {});
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  const sent = fs.readFileSync(heard, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(sent.every(([words]) => words[0] === 'opencode'));
  const payloads = sent.map(([, { directory, ...payload }]) => (assert.equal(directory, root), payload));
  assert.deepEqual(payloads, [
    { event: 'session.created', sessionID: 's', source: 'startup' },
    { event: 'chat.message', sessionID: 's', prompt: '/implement a' },
    { event: 'tool.execute.after', sessionID: 's', tool: 'write', args: { filePath: 'a' } },
    { event: 'session.idle', sessionID: 's', text: 'done' },
  ]);
});

/** Standard input that says nothing, or begins an object. */
const HALF_INPUTS = ['', '{"session_id":"a",'];

/** Ends a program that hangs: no time is judged. */
const ENDS = { timeout: 120_000 };

/** Starts a hook by a program of Python that writes to a pipe and never closes it. */
const FROM_PYTHON = `
import os, subprocess, sys
read, write = os.pipe()
hook = subprocess.Popen(sys.argv[2:], stdin=read)
os.write(write, sys.argv[1].encode())
sys.exit(hook.wait())
`;

for (const words of [['claude-code'], ['statusline']]) {
  test(`a hook ends while its input stays open and silent (${words[0]})`, ENDS, async (t) => {
    const root = project(t);
    const command = [process.execPath, require.resolve('milepost/hook'), ...words];
    const ended = HALF_INPUTS.map(async (input) => {
      const run = spawn(command[0], command.slice(1), { cwd: root, stdio: ['pipe', 'inherit', 'inherit'] });
      t.after(() => run.kill('SIGKILL'));
      run.stdin.write(input);
      const [code] = await once(run, 'exit');
      run.stdin.destroy();
      return code;
    });
    assert.deepEqual(await Promise.all(ended), [0, 0], 'from Node, which gives its children sockets');
    if (spawnSync('python3', ['--version']).error) return t.diagnostic('no python3 on the PATH');
    const fromPython = HALF_INPUTS.map(async (input) => {
      const run = spawn('python3', ['-c', FROM_PYTHON, input, ...command], { cwd: root, stdio: 'inherit', detached: true });
      t.after(() => run.exitCode === null && process.kill(-run.pid, 'SIGKILL'));
      const [code] = await once(run, 'exit');
      return code;
    });
    assert.deepEqual(await Promise.all(fromPython), [0, 0], 'from Python, which gives them pipes');
  });
}

test('a status line that has no final newline, or hangs, hides nothing', { ...needsShell, ...ENDS }, (t) => {
  const root = project(t);
  const hook = require.resolve('milepost/hook');
  const input = JSON.stringify({ cwd: root, context_window: { used_percentage: 62 } });
  const shown = (command, payload = input) => {
    const words = [hook, 'statusline', '--then', command];
    return spawnSync(process.execPath, words, { cwd: root, input: payload, encoding: 'utf8' }).stdout;
  };
  assert.equal(shown('printf mine'), 'mine\n62 %\n');
  assert.equal(shown('echo mine'), 'mine\n62 %\n');
  assert.equal(shown('exec sleep 100000'), '62 %\n');
  assert.equal(shown('printf begun; exec sleep 100000'), 'begun\n62 %\n');
  assert.equal(shown('no-such-program-anywhere'), '62 %\n');
  assert.equal(shown('printf mine', '{}'), 'mine', 'where ours has nothing to say');
});

/** Agents whose entries are in more than one scope, and how each says that a session begins. */
const STARTS = {
  'claude-code': { files: ['.claude/settings.json', 'home/.claude/settings.json'], event: 'SessionStart' },
  codex: { files: ['.codex/hooks.json', 'home/.codex/hooks.json'], event: 'SessionStart' },
  gemini: { files: ['.gemini/settings.json', 'home/.gemini/settings.json'], event: 'SessionStart' },
  cursor: { files: ['.cursor/hooks.json', 'home/.cursor/hooks.json'], event: 'sessionStart' },
  copilot: { files: ['.github/hooks/milepost.json', 'home/.copilot/hooks/milepost.json'], event: 'sessionStart' },
};

/** The payload of the agent. */
function start(agent, root, event) {
  switch (agent) {
    case 'cursor':
      return { conversation_id: 's', hook_event_name: event, workspace_roots: [root] };
    case 'copilot':
      return { sessionId: 's', timestamp: 1, cwd: root, source: 'new' };
    default:
      return { session_id: 's', cwd: root, hook_event_name: event, source: 'startup' };
  }
}

/** The first program for an event in a file. */
function handlerOf(root, file, event) {
  const [entry] = JSON.parse(read(root, file)).hooks[event];
  return entry.hooks?.[0] ?? entry;
}

/** Has the agents trust the project, which those do that keep a list of such. */
function trust(root) {
  fs.mkdirSync(path.join(root, 'home/.codex'), { recursive: true });
  fs.mkdirSync(path.join(root, 'home/.copilot'), { recursive: true });
  const folder = JSON.stringify(root);
  fs.writeFileSync(path.join(root, 'home/.codex/config.toml'), `[projects.${folder}]\ntrust_level = "trusted"\n`);
  fs.writeFileSync(path.join(root, 'home/.copilot/config.json'), `// Managed.\n{ "trustedFolders": [${folder}] }\n`);
}

for (const [agent, { files, event }] of Object.entries(STARTS)) {
  test(`an event is taken once where both scopes have an entry (${agent})`, needsShell, (t) => {
    const root = realProject(t);
    ran(root, 'phase', 'implement', 'printer', 'in_progress');
    milepost(root, 'install', agent);
    milepost(root, 'install', agent, '--scope', 'user');
    if (agent === 'claude-code') milepost(root, 'install', agent, '--scope', 'local');
    const all = agent === 'claude-code' ? [...files, '.claude/settings.local.json'] : files;
    const takers = (some) =>
      some.filter((file) => {
        const { code, out, error } = started(root, handlerOf(root, file, event), { input: start(agent, root, event) });
        assert.deepEqual({ code, error }, { code: 0, error: '' });
        return out !== '';
      });
    trust(root);
    assert.deepEqual(takers(all), [files[0]]);
    assert.deepEqual(takers(all.toReversed()), [files[0]], 'in the other order');
    // A clone without its packages, and a project without entries.
    fs.rmSync(path.join(root, 'node_modules'), { recursive: true });
    assert.deepEqual(takers(files), [files[1]], 'where the package is not installed');
    fs.mkdirSync(path.join(root, 'node_modules'));
    fs.symlinkSync(installed, path.join(root, 'node_modules/milepost'), 'junction');
    if (agent === 'claude-code') milepost(root, 'remove', agent, '--scope', 'local');
    milepost(root, 'remove', agent);
    assert.deepEqual(takers([files[1]]), [files[1]], 'where the project has none');
  });
}

test('an entry of the user takes the events of a project that its agent does not trust', needsShell, (t) => {
  for (const agent of ['codex', 'copilot']) {
    const root = realProject(t);
    ran(root, 'phase', 'implement', 'printer', 'in_progress');
    milepost(root, 'install', agent);
    milepost(root, 'install', agent, '--scope', 'user');
    const { files, event } = STARTS[agent];
    const input = start(agent, root, event);
    assert.match(started(root, handlerOf(root, files[1], event), { input }).out, /printer/, agent);
    trust(root);
    assert.equal(started(root, handlerOf(root, files[1], event), { input }).out, '', agent);
  }
});

/** The members of an answer in which agents look for context. */
const MEMBER = { copilot: 'additionalContext', cursor: 'additional_context' };

test('an agent that also runs the entries of Claude Code takes an event once', needsShell, (t) => {
  const root = realProject(t);
  ran(root, 'phase', 'implement', 'printer', 'in_progress');
  milepost(root, 'install', 'claude-code');
  trust(root);
  const handler = handlerOf(root, '.claude/settings.json', 'SessionStart');
  const of = {
    copilot: { session_id: 's', cwd: root, hook_event_name: 'SessionStart', source: 'new', timestamp: '2026-11-25T22:38:53.385Z' },
    cursor: { conversation_id: 's', hook_event_name: 'sessionStart', workspace_roots: [root] },
  };
  for (const [agent, input] of Object.entries(of)) {
    const printed = () => started(root, handler, { input, COPILOT_CLI: '1' }).out;
    const isTaken = () => printed() !== '';
    assert.deepEqual(Object.keys(JSON.parse(printed())), [MEMBER[agent]], `${agent} without an entry of its own`);
    milepost(root, 'install', agent);
    assert.equal(isTaken(), false, `${agent} with one`);
    milepost(root, 'remove', agent);
  }
  milepost(root, 'install', 'copilot');
  const input = start('claude-code', root, 'SessionStart');
  assert.match(started(root, handler, { input, COPILOT_CLI: '1' }).out, /printer/, 'Claude Code, started by Copilot CLI');
});

test('status and doctor run what is registered once, and say whether it works', needsShell, (t) => {
  const root = realProject(t);
  milepost(root, 'install', 'claude-code', 'copilot', 'opencode');
  milepost(root, 'install', 'gemini', '--scope', 'user');
  const lines = milepost(root, 'status').split('\n').filter((line) => /events/.test(line));
  assert.equal(lines.length, 4);
  for (const line of lines) assert.match(line, /, and what is registered works$/);
  const found = ran(root, 'doctor', '--look-only');
  const works = 'events, on Node, and what they run works: an event that means nothing takes \\d+\\.\\d ms here';
  assert.match(found, new RegExp(`claude-code has hooks for all of its 8 ${works}`));
  assert.match(found, new RegExp(`~/\\.gemini/settings\\.json[^]*gemini has hooks for all of its \\d+ ${works}`));
  const file = 'home/.gemini/settings.json';
  fs.writeFileSync(path.join(root, file), read(root, file).replaceAll('/bin/hook.js', '/gone/milepost/bin/hook.js'));
  assert.match(milepost(root, 'status'), /gemini .* what is registered does not work: .* is not there/);
});

test('status runs nothing that a clone brought along', needsShell, (t) => {
  const root = realProject(t);
  const marks = path.join(root, 'marks');
  milepost(root, 'install', 'claude-code');
  const settings = path.join(root, '.claude/settings.json');
  const before = read(root, '.claude/settings.json');
  for (const [from, to] of [
    [' ; exit 0', ` ; touch ${marks} ; exit 0`],
    ['node -e', `touch ${marks} ; node -e`],
    ['./node_modules', `./$(touch ${marks})node_modules`],
  ]) {
    fs.writeFileSync(settings, before.replaceAll(from, to));
    assert.doesNotMatch(milepost(root, 'status'), /works/, to);
  }
  fs.writeFileSync(settings, before);
  fs.rmSync(path.join(root, 'node_modules/milepost'));
  fs.cpSync(path.join(project(t), 'node_modules'), path.join(root, 'node_modules'), { recursive: true });
  const copy = path.join(root, 'node_modules/milepost/bin/hook.js');
  fs.writeFileSync(copy, `require('node:fs').writeFileSync(${JSON.stringify(marks)}, ''); console.log('works');`);
  assert.doesNotMatch(milepost(root, 'status'), /works/, 'another copy of the package');
  assert.equal(fs.existsSync(marks), false);
});

/** A module that is loaded before a program: it notes what the trial starts, and has the trial see Windows. */
const ON_WINDOWS = `
  const processes = require('node:child_process');
  const fs = require('node:fs');
  const { platform } = process;
  const { spawnSync } = processes;
  let isStarting = false;
  const isOfTrial = () => !isStarting && new Error().stack.includes('verbs.cjs');
  Object.defineProperty(process, 'platform', { get: () => (isOfTrial() ? 'win32' : platform) });
  processes.spawnSync = (file, ...more) => {
    const { cwd, shell = false } = more.at(-1);
    if (isOfTrial()) fs.appendFileSync(process.env.STARTED, JSON.stringify({ file, cwd, shell }) + '\\n');
    isStarting = true;
    try {
      return spawnSync(file, ...more);
    } finally {
      isStarting = false;
    }
  };
`;

/** The status of the hooks of a project on Windows, with folders on the PATH; and what the trial started. */
function statusOnWindows(t, root, folders) {
  const before = path.join(emptyFolder(t), 'before.cjs');
  fs.writeFileSync(before, ON_WINDOWS);
  const STARTED = `${before}.jsonl`;
  fs.writeFileSync(STARTED, '');
  const NODE_OPTIONS = `--require "${before.replaceAll('\\', '/')}"`;
  const inherited = Object.entries(environment(root)).filter(([name]) => name.toUpperCase() !== 'PATH');
  const env = { ...Object.fromEntries(inherited), NODE_OPTIONS, STARTED, PATH: folders.join(path.delimiter) };
  // Only the package that is asked is tried, and where there are no links the project has a copy.
  const own = path.join(root, 'node_modules/milepost/bin/milepost.js');
  const run = spawnSync(process.execPath, [own, 'hooks', 'status'], { cwd: root, env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const lines = fs.readFileSync(STARTED, 'utf8').split('\n').filter((line) => line !== '');
  return { out: run.stdout, started: lines.map((line) => JSON.parse(line)) };
}

test('on Windows status runs the node of the PATH, and none of the project', (t) => {
  const root = realProject(t);
  const marks = path.join(root, 'marks');
  for (const name of ['node.cmd', 'node.bat']) fs.writeFileSync(path.join(root, name), `@echo x> "${marks}"\r\n`);
  fs.writeFileSync(path.join(root, 'node.exe'), `#!/bin/sh\n: > '${marks}'\n`, { mode: 0o755 });
  milepost(root, 'install', 'claude-code', 'copilot', 'opencode');
  // Elsewhere the program has another name.
  const folder = process.platform === 'win32' ? path.dirname(process.execPath) : emptyFolder(t);
  const file = path.join(folder, 'node.exe');
  if (process.platform !== 'win32') fs.symlinkSync(process.execPath, file);
  const { out, started } = statusOnWindows(t, root, ['', '.', root, folder]);
  assert.equal(out.match(/what is registered works$/gm)?.length, 3, out);
  const alone = { file, cwd: fs.realpathSync(root), shell: false };
  const real = started.map((it) => ({ ...it, cwd: fs.realpathSync(it.cwd) }));
  assert.deepEqual(real, [alone, alone, alone]);
  const without = statusOnWindows(t, root, ['', '.', root]);
  assert.equal(without.out.match(/does not work: node is not on the PATH$/gm)?.length, 3, without.out);
  assert.deepEqual(without.started, []);
  assert.equal(fs.existsSync(marks), false);
});
