// Hooks, the page, the export, the server for agents and notifications on a database, as their users start them.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as http from 'node:http';
import { createRequire } from 'node:module';
import * as net from 'node:net';
import * as path from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bin, emptyFolder, git, installed, repository } from '../node/fixture.mjs';
import { newProject, serverFor } from './server.mjs';

const server = serverFor(test);

const hook = path.join(installed, 'bin/hook.js');

const SESSION = '5f0e5f0e-0000-4000-8000-000000000001';

function urlOf({ host, user, database }) {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`;
}

/** A program of the package to its end. */
async function run(cwd, file, words, { input = '', variables = { DATABASE_URL: urlOf(server.connection) } } = {}) {
  const env = { ...process.env, ...variables };
  for (const [name, value] of Object.entries(variables)) if (value === null) delete env[name];
  const child = spawn(process.execPath, [file, ...words], { cwd, env });
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (error += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, out, error };
}

/** The command of a session's context that has these words. */
function commandOf(context, words) {
  const { additionalContext } = JSON.parse(context).hookSpecificOutput;
  const commands = [...additionalContext.matchAll(/`([^`]+)`/g)].map(([, command]) => command);
  const found = commands.find((command) => command.includes(words));
  assert.ok(found, additionalContext);
  return found;
}

/** Runs a command as an agent would that was asked to type it. */
function type(cwd, command) {
  const env = { ...process.env, DATABASE_URL: urlOf(server.connection) };
  const { status, stdout, stderr } = spawnSync(command, { cwd, env, shell: true, encoding: 'utf8' });
  return { code: status, out: stdout, error: stderr };
}

/** Calls on one project, in a clone of its own. */
function clone(t, project = newProject()) {
  const cwd = repository(t, { 'a.txt': 'a\n' });
  const store = ['--store', 'env:DATABASE_URL', '--project', project];
  const milepost = (words, options) => run(cwd, bin, words, options);
  const done = async (words, options) => {
    const { code, out, error } = await milepost(words, options);
    assert.equal(code, 0, `${words.join(' ')}: ${out}${error}`);
    return out;
  };
  /** One event, as the registered line of Claude Code runs it. */
  const event = async (name, more = {}, options = {}) => {
    const input = JSON.stringify({ session_id: SESSION, cwd, hook_event_name: name, ...more });
    const said = await run(cwd, hook, ['claude-code', ...store], { input, ...options });
    assert.deepEqual([said.code, said.error], [0, '']);
    return said.out;
  };
  const wrote = (file, options) =>
    event('PostToolUse', { tool_name: 'Write', tool_input: { file_path: path.join(cwd, file) } }, options);
  return { cwd, project, store, milepost, done, event, wrote };
}

const UNSET = { variables: { DATABASE_URL: null } };
const START = { source: 'startup' };

/** The runs among the files of a clone. */
function runsIn(cwd) {
  const state = path.join(cwd, '.claude/state');
  const names = fs.existsSync(state) ? fs.readdirSync(state) : [];
  return names.filter((name) => name.endsWith('.json'));
}

test('a second clone with the same database carries on where the first one stopped', async (t) => {
  const first = clone(t);
  await first.event('SessionStart', START);
  fs.writeFileSync(path.join(first.cwd, 'b.txt'), 'b\n');
  await first.wrote('b.txt');
  assert.deepEqual(runsIn(first.cwd), []);
  const second = clone(t, first.project);
  const context = await second.event('SessionStart', { ...START, session_id: 'another' });
  assert.match(context, /b\.txt/);
  assert.match(await second.done(['show', '--json', ...second.store]), /b\.txt/);
  const command = commandOf(context, ' --take');
  assert.ok(command.endsWith(` ${second.store.join(' ')}`), command);
  const { code, out, error } = type(second.cwd, command);
  assert.equal(code, 0, `${command}: ${error}`);
  assert.match(out, /b\.txt/);
});

test('events without the variable are kept in files, said as a session starts, and brought in once', async (t) => {
  const { cwd, project, store, milepost, done, event, wrote } = clone(t);
  const context = await event('SessionStart', START, UNSET);
  assert.match(context, /DATABASE_URL is not set here/);
  const command = commandOf(context, ' doctor --fix ');
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt', UNSET);
  assert.equal(runsIn(cwd).length, 1);
  assert.equal((await milepost(['resume', ...store])).code, 1);

  await done(['hooks', 'install', 'claude-code', ...store], UNSET);
  const unset = await milepost(['doctor', '--fix'], UNSET);
  assert.equal(unset.code, 1);
  assert.match(unset.out, /DATABASE_URL is not set[^\n]*1 run is kept in files/);
  const before = await milepost(['doctor', '--json']);
  const findings = JSON.parse(before.out).filter(({ found }) => found.includes(`as project ${project}`));
  assert.deepEqual(findings.map(({ level }) => level), ['warning']);
  const asked = await milepost(['doctor', '--fix']);
  assert.match(asked.out, new RegExp(`doctor --fix --store env:DATABASE_URL --project ${project}\\n`));
  assert.equal(runsIn(cwd).length, 1, 'a clone may bring these settings');
  const { out, error } = type(cwd, command);
  assert.match(await done(['show', '--json', ...store]), /b\.txt/, `${command}: ${out}${error}`);
  assert.equal((await milepost(['resume'])).code, 1, 'the run is in files still');
  const log = JSON.parse(await done(['log', '--json', ...store]));
  const again = await milepost(['doctor', '--fix']);
  assert.match(again.out, new RegExp(`Runs are kept in the database of DATABASE_URL, as project ${project}`));
  assert.equal(JSON.parse(await done(['log', '--json', ...store])).length, log.length);
});

test('settings of the user that name a database let doctor bring runs in', async (t) => {
  const { cwd, done, milepost, event, wrote, store } = clone(t);
  await event('SessionStart', START, UNSET);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt', UNSET);
  await done(['hooks', 'install', 'claude-code', '--scope', 'local', ...store]);
  await milepost(['doctor', '--fix']);
  assert.match(await done(['show', '--json', ...store]), /b\.txt/);
});

test('doctor makes nothing in a database that a clone names', async (t) => {
  const { cwd, milepost, done, event, wrote, store } = clone(t);
  await server.run('CREATE DATABASE untouched');
  const pool = server.pool({ database: 'untouched', max: 1 });
  t.after(() => pool.end());
  const url = urlOf({ ...server.connection, database: 'untouched' });
  const variables = { DATABASE_URL: url };
  await event('SessionStart', START, UNSET);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt', UNSET);
  await done(['hooks', 'install', 'claude-code', ...store], UNSET);
  const hasSchema = async () => (await pool.query("SELECT to_regnamespace('milepost') AS it")).rows[0].it !== null;
  for (const words of [['doctor', '--look-only'], ['doctor'], ['doctor', '--fix'], ['doctor', ...store]]) {
    const { out } = await milepost(words, { variables });
    assert.equal(await hasSchema(), false, words.join(' '));
    assert.equal(/is kept in files and not in/.test(out), words[1] !== '--look-only', out);
  }
  await milepost(['doctor', '--fix', ...store], { variables });
  assert.equal(await hasSchema(), true);
});

test('a run that the database has newer is named by doctor and stays as it is', async (t) => {
  const { done, milepost, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete']);
  await done(['phase', 'design', 'build', 'in_progress', ...store]);
  const said = await milepost(['doctor', '--fix', ...store]);
  assert.equal(said.code, 1);
  assert.match(said.out, /design is kept in files, and newer in the database/);
  assert.doesNotMatch(await done(['show', 'design', '--json', ...store]), /"plan"/);
  assert.match(await done(['show', 'design', '--json']), /"plan"/);
});

test('a database that is away has its events in files, with the reason', async (t) => {
  const { cwd, event, wrote } = clone(t);
  const away = { variables: { DATABASE_URL: 'postgresql://absent@127.0.0.1:1/none' } };
  assert.match(await event('SessionStart', START, away), /cannot be used/);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt', away);
  assert.equal(runsIn(cwd).length, 1);
});

test('a server that accepts connections and never answers has its events in files, with the reason', async (t) => {
  const { cwd, event, wrote } = clone(t);
  const sockets = new Set();
  const silent = net.createServer((socket) => void sockets.add(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const stalled = { variables: { DATABASE_URL: `postgresql://user@127.0.0.1:${silent.address().port}/none` } };
  assert.match(await event('SessionStart', START, stalled), /cannot be used/);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt', stalled);
  assert.equal(runsIn(cwd).length, 1);
});

test('a database that stalls in the middle of an event has it in files, with the reason', async (t) => {
  const { cwd, event, wrote } = clone(t);
  await event('SessionStart', START);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  const pool = server.pool({ max: 1 });
  t.after(() => pool.end());
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE milepost.records IN ACCESS EXCLUSIVE MODE');
    await wrote('b.txt');
    assert.equal(runsIn(cwd).length, 1);
    assert.match(await event('SessionStart', { ...START, session_id: 'another' }), /does not answer/);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

test('nothing waits for a database after the deadline', async (t) => {
  const { project, done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete', ...store]);
  const { open } = createRequire(import.meta.url)(path.join(installed, 'dist/command-line-database.cjs'));
  process.env.STALLED_URL = urlOf(server.connection);
  t.after(() => delete process.env.STALLED_URL);
  const list = { effect: 'listRecords', under: `/${project}`, limit: 1 };
  const patient = open('STALLED_URL', project);
  assert.equal(patient.perform(list).outcome, 'names');
  patient.close();
  const late = open('STALLED_URL', project, { deadline: performance.now() });
  assert.ok('place' in late);
  assert.equal(late.perform(list).outcome, 'failed');
  assert.equal(late.hasFailed(), true);
  late.close();
});

test('the status line shows the run of the database, below that of another command', async (t) => {
  const { cwd, project, store, event, wrote } = clone(t);
  await event('SessionStart', START);
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'b\n');
  await wrote('b.txt');
  const input = JSON.stringify({ session_id: SESSION, cwd, workspace: { project_dir: cwd } });
  const words = ['statusline', ...store, '--then', 'echo mine'];
  const { code, out } = await run(cwd, hook, words, { input });
  assert.equal(code, 0);
  assert.match(out, /^mine\n\w+/, project);
});

test('an export of a database shows its runs, and leaves no copy behind', async (t) => {
  const { cwd, done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete', '--summary', 'The plan of the export.', ...store]);
  const folder = emptyFolder(t);
  const variables = { DATABASE_URL: urlOf(server.connection), TMPDIR: folder };
  await done(['export', '--html', 'page.html', ...store], { variables });
  const page = fs.readFileSync(path.join(cwd, 'page.html'), 'utf8');
  const packed = [...page.matchAll(/<script type="text\/plain" class="milepost-data">([^<]*)<\/script>/g)];
  const data = gunzipSync(Buffer.concat(packed.map(([, part]) => Buffer.from(part, 'base64')))).toString();
  assert.ok(data.includes('design-checkpoint.json') && data.includes('The plan of the export.'), data);
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('the copy of a program that was killed is removed by the next one, and that of a living one stays', async (t) => {
  const { done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete', ...store]);
  const folder = emptyFolder(t);
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'close');
  const living = `milepost-mirror-${process.pid}-abcdef`;
  for (const name of [`milepost-mirror-${dead.pid}-abcdef`, living]) {
    fs.mkdirSync(path.join(folder, name, 'state'), { recursive: true });
  }
  const variables = { DATABASE_URL: urlOf(server.connection), TMPDIR: folder };
  await done(['export', '--html', 'page.html', ...store], { variables });
  assert.deepEqual(fs.readdirSync(folder), [living]);
});

/** The first entry of a folder, as soon as it is there. */
async function firstIn(folder) {
  const watcher = fs.watch(folder);
  try {
    while (fs.readdirSync(folder).length === 0) await once(watcher, 'change');
  } finally {
    watcher.close();
  }
}

test('a page that is ended before it is served leaves no copy behind', async (t) => {
  const { cwd, done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete', ...store]);
  const folder = emptyFolder(t);
  const pool = server.pool({ max: 1 });
  t.after(() => pool.end());
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE milepost.records IN ACCESS EXCLUSIVE MODE');
    const env = { ...process.env, DATABASE_URL: urlOf(server.connection), TMPDIR: folder };
    const child = spawn(process.execPath, [bin, 'view', '--no-open', ...store], { cwd, env });
    t.after(() => child.kill('SIGKILL'));
    const closed = once(child, 'close');
    await firstIn(folder);
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [143, null]);
    assert.deepEqual(fs.readdirSync(folder), []);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

/** A request of a page, and its answer. */
function get(address, at, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = http.get(new URL(at, address), { headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const { statusCode: status, headers } = response;
        resolve({ status, headers, text: Buffer.concat(parts).toString() });
      });
    });
    request.on('error', reject);
  });
}

test('the page of a database is served, and its copy goes with the server', async (t) => {
  const { cwd, done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'complete', ...store]);
  const folder = emptyFolder(t);
  const env = { ...process.env, DATABASE_URL: urlOf(server.connection), TMPDIR: folder };
  const child = spawn(process.execPath, [bin, 'view', '--no-open', ...store], { cwd, env });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [address, token] = line.trim().split('#token=');
  assert.equal((await get(address, '/')).status, 200);
  const { headers } = await get(address, '/api/session', { authorization: `Bearer ${token}` });
  const cookie = headers['set-cookie'][0].split(';')[0];
  const [first] = (await get(address, '/api/files', { cookie })).text.split('\n', 1);
  // Commands that are copied from the page are about the database, and not about its copy.
  assert.equal(JSON.parse(first).meta.place_words, ` ${store.join(' ')}`);
  const [mirror] = fs.readdirSync(folder);
  assert.deepEqual(fs.readdirSync(path.join(folder, mirror, 'state')).includes('design-checkpoint.json'), true);
  child.kill('SIGTERM');
  await once(child, 'close');
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('notify sends what the database reached', async (t) => {
  const { cwd, done, store } = clone(t);
  const texts = [];
  const receiver = http.createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      texts.push(text);
      response.end();
    });
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close());
  const config = path.join(cwd, '.claude/config');
  fs.mkdirSync(config, { recursive: true });
  const { port } = receiver.address();
  const settings = {
    notifications: {
      allow_private_addresses: true,
      webhooks: [{ url_env: 'HOOK_URL', secret_env: 'HOOK_SECRET' }],
    },
  };
  fs.writeFileSync(path.join(config, 'integrations.json'), JSON.stringify(settings));
  const variables = {
    DATABASE_URL: urlOf(server.connection),
    HOOK_URL: `http://127.0.0.1:${port}/`,
    HOOK_SECRET: `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`,
  };
  await done(['phase', 'design', 'plan', 'complete', ...store]);
  await done(['complete', 'design', ...store]);
  const said = await done(['notify', '--since-beginning', ...store], { variables });
  assert.ok(texts.length > 0, said);
  assert.match(texts.join('\n'), /design/);
});

test('the server for agents works on a database, and refuses what is about files by name', async (t) => {
  const { cwd, done, store } = clone(t);
  await done(['phase', 'design', 'plan', 'in_progress', ...store]);
  const env = { ...process.env, DATABASE_URL: urlOf(server.connection) };
  const child = spawn(process.execPath, [bin, 'mcp', ...store], { cwd, env });
  t.after(() => child.kill('SIGKILL'));
  const replies = new Map();
  let text = '';
  const next = (id) => new Promise((resolve) => replies.set(id, resolve));
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      replies.get(message.id)?.(message);
    }
  });
  const ask = (id, method, params) => {
    const reply = next(id);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return reply;
  };
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await ask(1, 'initialize', client);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const resumed = await ask(2, 'tools/call', { name: 'milepost_resume', arguments: {} });
  assert.equal(resumed.result.structuredContent.phase, 'plan');
  const created = await ask(3, 'tools/call', { name: 'milepost_create', arguments: { reason: 'user_requested' } });
  assert.equal(created.result.isError, true);
  assert.match(created.result.content[0].text, /`milepost_create` works on files/);
  child.stdin.end();
  await once(child, 'close');
});

test('verbs that work on files refuse --store by their names, as wrong usage', async (t) => {
  const { milepost, store } = clone(t);
  for (const words of [
    ['init'],
    ['create', '--reason', 'manual'],
    ['list'],
    ['restore', '--latest'],
    ['verify', '--latest'],
    ['cleanup'],
    ['archive'],
    ['pin', 'chk-20250126-103000'],
    ['hooks', 'status'],
    ['hooks', 'remove', 'codex'],
  ]) {
    const { code, error } = await milepost([...words, ...store]);
    const name = words[0] === 'hooks' ? words.slice(0, 2).join(' ') : words[0];
    assert.equal(code, 64, words.join(' '));
    assert.match(error, new RegExp(`\`milepost (snapshot )?${name === 'cleanup' ? 'prune' : name}\``));
  }
});

test('a hook without a store loads nothing that reaches one', async (t) => {
  const cwd = repository(t, { 'a.txt': 'a\n' });
  assert.equal(git(cwd, 'status', '--porcelain'), '');
  const copy = path.join(emptyFolder(t), 'milepost');
  fs.cpSync(installed, copy, { recursive: true });
  fs.rmSync(path.join(copy, 'dist/command-line-database.cjs'));
  const input = JSON.stringify({ session_id: SESSION, cwd, hook_event_name: 'SessionStart', ...START });
  const said = await run(cwd, path.join(copy, 'bin/hook.js'), ['claude-code'], { input });
  assert.deepEqual([said.code, said.error], [0, '']);
});
