// Hooks in a clone whose packages are not installed: nothing is fetched, and nothing is said.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import test from 'node:test';
import { emptyFolder, milepost } from './fixture.mjs';

/** The settings of each agent that runs commands. */
const SETTINGS = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
  copilot: '.github/hooks/milepost.json',
  'qwen-code': '.qwen/settings.json',
};
const PLUGIN = '.opencode/plugins/milepost.js';

/** Programs that could fetch a package. */
const FETCHING = ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'corepack', 'bun', 'bunx', 'deno', 'curl', 'wget'];

const needsShell = { skip: process.platform === 'win32' && 'agents have other shells there' };

/** A registry that has nothing, and every request that it was asked. */
async function registry(t) {
  const requests = [];
  const server = http.createServer(({ url }, response) => {
    requests.push(url);
    response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, address: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/` };
}

/** Runs a command line while the registry can answer. */
async function run(command, { cwd, env, input }) {
  const shell = spawn(command, { cwd, env, shell: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (part) => (text += part));
  shell.stdin.on('error', () => {});
  shell.stdin.end(input);
  const [code] = await once(shell, 'close');
  return { code, text };
}

/** Every command line that is registered, with its agent. */
function registered(root) {
  const lines = Object.entries(SETTINGS).flatMap(([agent, file]) => {
    const { hooks } = JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
    const entries = Object.values(hooks).flat().flatMap((entry) => entry.hooks ?? [entry]);
    return entries.map(({ command, bash }) => [agent, command ?? bash]);
  });
  const [, words] = /^const \[program, \.\.\.words\] = (\[.*\]);$/m.exec(fs.readFileSync(path.join(root, PLUGIN), 'utf8'));
  const quoted = JSON.parse(words).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return [...lines, ['opencode', quoted.join(' ')]];
}

test('in a clone whose packages are not installed a hook asks no registry and starts no package manager', needsShell, async (t) => {
  const root = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(path.join(root, 'package.json'), '{ "devDependencies": { "milepost": "0.1.0" } }');
  const dependency = path.join(root, 'node_modules/milepost');
  fs.mkdirSync(path.join(dependency, 'bin'), { recursive: true });
  fs.writeFileSync(path.join(dependency, 'package.json'), '{"name":"milepost","exports":{"./hook":"./bin/hook.js"}}');
  fs.writeFileSync(path.join(dependency, 'bin/hook.js'), '');
  for (const agent of [...Object.keys(SETTINGS), 'opencode']) {
    const { code, error } = milepost(root, ['hooks', 'install', agent]);
    assert.equal(code, 0, error);
  }
  fs.rmSync(path.join(root, 'node_modules'), { recursive: true });

  const { requests, address } = await registry(t);
  const home = emptyFolder(t);
  const programs = path.join(home, 'bin');
  const started = path.join(home, 'started');
  fs.mkdirSync(programs);
  for (const name of FETCHING) {
    fs.writeFileSync(path.join(programs, name), `#!/bin/sh\necho ${name} >> '${started}'\n`, { mode: 0o755 });
  }
  const env = {
    ...process.env,
    HOME: home,
    npm_config_registry: address,
    npm_config_fetch_retries: '0',
    npm_config_cache: path.join(home, 'cache'),
    YARN_NPM_REGISTRY_SERVER: address,
    http_proxy: address,
    https_proxy: address,
    CLAUDE_PROJECT_DIR: root,
  };
  // The registry is one that would be asked.
  await run('npx --yes milepost hook codex', { cwd: root, env, input: '{}' });
  assert.ok(requests.length > 0);
  requests.length = 0;

  const before = fs.readdirSync(root, { recursive: true });
  const lines = registered(root);
  assert.ok(lines.length > 20, `${lines.length} lines`);
  const input = JSON.stringify({ cwd: root, session_id: 's', hook_event_name: 'SessionStart', source: 'startup' });
  for (const [agent, line] of lines) {
    const PATH = `${programs}${path.delimiter}${process.env.PATH}`;
    assert.deepEqual(await run(line, { cwd: root, env: { ...env, PATH }, input }), { code: 0, text: '' }, `${agent}: ${line}`);
  }
  assert.deepEqual(requests, []);
  assert.equal(fs.existsSync(started), false);
  assert.deepEqual(fs.readdirSync(root, { recursive: true }), before);
});
