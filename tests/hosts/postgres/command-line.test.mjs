// The command line with `--store`, as its users call it: one process for each line.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import test from 'node:test';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { createCheckpointManager } from 'milepost/tasks';
import { IS_FULL_RANGE } from '../environment.mjs';
import { bin, emptyFolder, installed, require } from '../node/fixture.mjs';
import { Server, newProject, serverFor } from './server.mjs';

const driver = path.dirname(require.resolve('pg/package.json'));

const server = serverFor(test);

/** So many phases each of some processes saves. */
const PHASES = IS_FULL_RANGE ? 50 : 5;

/** @param {{host: string, user: string, database: string}} connection */
function variablesOf({ host, user, database }) {
  return { PGHOST: host, PGUSER: user, PGDATABASE: database };
}

function urlOf({ host, user, database }) {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`;
}

/** One call, while this process goes on. */
function call(cwd, words, { variables = {}, program = bin, input } = {}) {
  const options = { cwd, env: { ...process.env, ...variables }, encoding: 'utf8' };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...words], options, (error, out, said) =>
      resolve({ code: error ? error.code : 0, signal: error?.signal ?? null, out, error: said }),
    );
    child.stdin.end(input);
  });
}

/** Variables with which a call loads this code before anything else, in each of its threads. */
function preloading(t, code) {
  const file = path.join(emptyFolder(t), 'before.cjs');
  fs.writeFileSync(file, code);
  return { NODE_OPTIONS: `--require ${JSON.stringify(file)}` };
}

/** Variables with which calls count how often they try to connect. */
function counting(t) {
  const file = path.join(emptyFolder(t), 'tries');
  fs.writeFileSync(file, '');
  const variables = preloading(
    t,
    `const { appendFileSync } = require('node:fs');
     const { Socket } = require('node:net');
     const { connect } = Socket.prototype;
     Socket.prototype.connect = function (...words) {
       appendFileSync(${JSON.stringify(file)}, '.');
       return connect.apply(this, words);
     };`,
  );
  return { variables, tries: () => fs.statSync(file).size };
}

/**
 * The most tries that fit into the 5 s for which a statement is tried again: 6 with pauses that grow from 10 ms,
 * then pauses of 250 to 500 ms. Twice that time takes at least 28 where trying takes none, and on no machine more.
 */
const MOST_TRIES_OF_ONE_WAIT = 25;

/** Calls on one project, in a folder that nothing is to be written into. */
function user(t, project = newProject()) {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
  // Only a folder in which nothing was made can be removed so.
  t.after(() => fs.rmdirSync(cwd));
  const variables = { DATABASE_URL: urlOf(server.connection) };
  const store = ['--store', 'env:DATABASE_URL', '--project', project];
  const run = (words, options) => call(cwd, [...words, ...store], { variables, ...options });
  const done = async (words, options) => {
    const { code, out, error } = await run(words, options);
    assert.deepEqual([code, error], [0, ''], words.join(' '));
    return out;
  };
  return { run, done, project, cwd };
}

/** A call that did not answer: one sentence, and perhaps what helps. */
function refused({ code, out, error }, expected, pattern) {
  assert.match(error, pattern);
  assert.match(error, /^milepost: [^\n]*\n(  [^\n]*\n)?$/);
  assert.deepEqual([code, out], [expected, '']);
}

test('what one process saves in a database is what the next one finds', async (t) => {
  const { done, run, project } = user(t);
  assert.match(await done([]), /No runs here yet/);
  const words = ['phase', 'design', 'plan', 'complete', '--summary', 'Planned ü.'];
  assert.match(await done(words), /^design: saved revision 1;/);
  await done(['phase', 'design', 'build', 'in_progress']);
  assert.match(await done(['status']), /design +[^\n]*build/);
  assert.equal(JSON.parse(await done(['resume', '--json'])).phase, 'build');
  assert.match(await done(['resume']), /Planned ü\./);
  assert.equal((await done(['log', 'design'])).trimEnd().split('\n').length, 2);
  assert.equal(JSON.parse(await done(['diff', 'design', '--json'])).length > 0, true);
  assert.match(await done(['undo', 'design']), /revision 3, with the content of revision 1/);
  assert.match(await done(['redo', 'design']), /revision 4, with the content of revision 2/);
  assert.match(await done(['remove', 'design']), /design/);
  assert.equal((await run(['show', 'design'])).code, 1);
  assert.match(await done(['recover', 'design']), /design: saved revision 6/);
  await done(['complete', 'design', '--force']);

  const store = openPostgresStore({ project, connection: server.connection });
  t.after(() => store.close());
  const { revision, completed_at, phases } = await store.load('design');
  assert.equal(revision, 7);
  assert.ok(completed_at);
  assert.equal(phases.plan.context_summary, 'Planned ü.');
});

test('a whole document is saved, renamed and gated as among files', async (t) => {
  const { done, run } = user(t);
  const input = JSON.stringify({ phases: { a: { status: 'pending' } }, note: 'x'.repeat(300_000) });
  await done(['save', 'ship', '--feature', 'a', '-'], { input });
  await done(['rename', 'ship', '--feature', 'a', 'b']);
  assert.equal(JSON.parse(await done(['show', 'ship', '--feature', 'b', '--json'])).note.length, 300_000);
  await done(['gate', 'ship', '--feature', 'b', '--close', 'no']);
  assert.equal((await run(['gate', 'ship', '--feature', 'b'])).code, 1);
  assert.match(await done(['prune', 'ship', '--feature', 'b', '--keep', '10']), /ship/);
});

test('tasks and threads in a database are listed and shown', async (t) => {
  const { done, run, project } = user(t);
  assert.match(await done(['task', 'list']), /^No tasks/);
  assert.match(await done(['thread', 'list']), /^No threads/);
  const postgres = postgresHost({ project, connection: server.connection });
  t.after(() => postgres.close());
  const manager = createCheckpointManager({ storage: { postgres } });
  await manager.save({
    ...{ id: 'one', taskId: 'fix the login', agentId: 'a', stepIndex: 0, totalSteps: 1, context: {} },
    ...{ completedSteps: [], pendingSteps: ['s1'], createdAt: '2026-01-29T10:30:00.000Z' },
  });
  const typed = (value) => ['json', JSON.stringify(value)];
  const checkpoint = { namespace: '', id: 'c1', checkpoint: typed({}), metadata: typed({ source: 'loop', step: 0 }) };
  const changes = [
    { ...checkpoint, channels: ['x'], changed: ['x'], values: [['x', typed(1)]] },
    { namespace: '', id: 'c1', task: 't1', values: [['x', typed(2)]] },
  ];
  await postgres.threads(() => {})('put_thread', { thread_id: 'chat-1', changes });

  assert.match(await done([]), /\n1 thread, 1 task\n/);
  assert.match(await done(['task', 'list']), /^fix the login +1 +one/m);
  assert.equal(JSON.parse(await done(['task', 'show', 'fix', '--json'])).status, 'in_progress');
  assert.match(await done(['thread', 'list']), /^chat-1 +0 loop +c1 .* 1$/m);
  assert.match(await done(['thread', 'show', 'chat-1']), / x {2}added {2}1\n {2}pending {2}x {2}2, by task t1\n/);
  refused(await run(['thread', 'show', 'chta-1']), 1, /did you mean "chat-1"\?/);
  refused(await run(['thread', 'recover', 'chat-1']), 64, /`milepost thread recover` works on files/);
});

test('threads in a database are copied, pruned and removed', async (t) => {
  const { done, run, project } = user(t);
  const postgres = postgresHost({ project, connection: server.connection });
  t.after(() => postgres.close());
  const threads = postgres.threads(() => {});
  const typed = (value) => ['json', JSON.stringify(value)];
  const checkpoint = (id, parent, run_id) => ({
    ...{ namespace: '', id, parent, checkpoint: typed({ ts: '2026-01-02T00:00:00.000Z' }), metadata: typed({ run_id }) },
    ...{ channels: ['x'], changed: ['x'], values: [['x', typed(id)]] },
  });
  const changes = [checkpoint('c1', null, 'one'), checkpoint('c2', 'c1', 'two'), checkpoint('c3', 'c2', 'two')];
  await threads('put_thread', { thread_id: 'chat-1', changes });
  const ids = async (thread_id) => (await threads('list_thread', { thread_id })).checkpoints.map((it) => it.id).join();

  assert.equal(await done(['thread', 'copy', 'chat-1', 'chat-2']), 'chat-1: copied to chat-2, 3 checkpoints\n');
  refused(await run(['thread', 'copy', 'chat-1', 'chat-2']), 75, /There is a thread/);
  assert.equal(await done(['thread', 'prune', 'chat-1', '--keep', '2']), 'chat-1: removed 1 checkpoint, 2 kept\n');
  assert.equal(await ids('chat-1'), 'c3,c2');
  assert.equal(await done(['thread', 'remove', '--run', 'two']), 'Removed 4 checkpoints of 2 threads\n');
  assert.equal(await ids('chat-1'), '');
  assert.equal(await ids('chat-2'), 'c1');
  assert.equal(await done(['thread', 'prune', '--days', '1', '--dry-run']), 'Would remove 1 thread\n  chat-2\n');
  assert.equal(await ids('chat-2'), 'c1');
  assert.equal(await done(['thread', 'prune', '--days', '1']), 'Removed 1 thread\n  chat-2\n');
  assert.equal(await ids('chat-2'), '');
});

test('two projects in one database do not see each other', async (t) => {
  const [one, other] = [user(t, 'app'), user(t, 'app/state')];
  await one.done(['phase', 'design', 'plan', 'in_progress']);
  assert.match(await other.done([]), /No runs here yet/);
});

test('the commands of the help name the database', async (t) => {
  const { done, project } = user(t);
  const next = JSON.parse(await done(['--json'])).next;
  const store = `--store env:DATABASE_URL --project ${project}`;
  assert.deepEqual(next.slice(0, 2), [
    `milepost status --all ${store}`,
    `milepost phase implement <NAME> in_progress ${store}`,
  ]);
});

test('`env:` alone takes the variables that pg reads', async (t) => {
  const cwd = emptyFolder(t);
  const words = ['--store', 'env:', '--project', newProject()];
  const variables = variablesOf(server.connection);
  const { code, error } = await call(cwd, ['phase', 'design', 'a', 'pending', ...words], { variables });
  assert.deepEqual([code, error], [0, '']);
  assert.match((await call(cwd, ['status', ...words], { variables })).out, /design/);
});

test('a notice of an answer that comes late is not taken for the next answer', async (t) => {
  const { run } = user(t);
  // Every other wait is over immediately, as where the thread that asks was held up between an answer and its notice.
  const late = preloading(
    t,
    `const { wait } = Atomics;
     let isLate = false;
     Atomics.wait = (...words) => {
       isLate = !isLate;
       return isLate ? 'ok' : wait(...words);
     };`,
  );
  const variables = { DATABASE_URL: urlOf(server.connection), ...late };
  const saved = await run(['phase', 'design', 'a', 'pending'], { variables });
  assert.deepEqual([saved.code, saved.error], [0, '']);
  const { code, out, error } = await run(['status'], { variables });
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /design/);
});

test(`of 4 processes with ${PHASES} phases each, none is lost`, { timeout: 1_200_000 }, async (t) => {
  const { run, done } = user(t);
  await Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < PHASES; n += 1) {
        let said;
        do said = await run(['phase', 'implement', `w${writer} ${n}`, 'complete']);
        while (said.code === 75);
        assert.deepEqual([said.code, said.error], [0, '']);
      }
    }),
  );
  const { phases, revision } = JSON.parse(await done(['show', 'implement', '--json']));
  const all = 4 * PHASES;
  assert.deepEqual([Object.keys(phases).length, revision], [all, all], 'violated: a phase is lost, or saved twice');
});

test('what cannot be done with a database is refused with its reason', async (t) => {
  const { run, cwd } = user(t);
  refused(await run(['init']), 64, /`milepost init` works on files/);
  refused(await run(['create', '--reason', 'manual']), 64, /`milepost snapshot create` works on files/);
  refused(await run(['show', 'chk-20250126-103000']), 64, /Snapshots are kept in files/);
  refused(await run(['status', '--dir', 'a']), 64, /`--dir` names a folder/);
  const without = ['status', '--store', 'env:DATABASE_URL'];
  refused(await call(cwd, without), 64, /`--project NAME`/);
  const named = [...without, '--project', 'a'];
  refused(await call(cwd, named), 64, /environment variable DATABASE_URL is not set/);
  refused(await call(cwd, named, { variables: { DATABASE_URL: '' } }), 64, /DATABASE_URL is not set/);
  const password = ['status', '--project', 'a', '--store', 'postgres://me:hunter2@host/db'];
  const said = await call(cwd, password);
  refused(said, 64, /Expected `--store env:NAME`/);
  assert.doesNotMatch(said.error, /hunter2/);
});

test('a database that is not there, or not one, is refused after one try', async (t) => {
  const cwd = emptyFolder(t);
  const words = ['status', '--project', 'a', '--store', 'env:URL'];
  let connections = 0;
  const silent = net.createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address();
  const { variables, tries } = counting(t);
  for (const url of [
    'postgres://me:hunter2@127.0.0.1:1/db',
    `postgresql://me@/db?host=${encodeURIComponent(cwd)}`,
    `postgres://me:hunter2@127.0.0.1:${port}/db`,
    'hunter2 is no url',
  ]) {
    const before = tries();
    const said = await call(cwd, words, { variables: { ...variables, URL: url } });
    refused(said, 74, /The database cannot be used: /);
    assert.doesNotMatch(said.error, /hunter2/);
    assert.ok(tries() - before <= 1, url);
  }
  assert.deepEqual([tries() > 2, connections], [true, 1]);
});

test('a server that goes away in a call ends it, with the reason', async (t) => {
  const own = new Server();
  const cwd = emptyFolder(t);
  const variables = { URL: urlOf(own.connection) };
  const words = ['--store', 'env:URL', '--project', 'a'];
  const said = await call(cwd, ['phase', 'design', 'a', 'pending', ...words], { variables });
  assert.equal(said.code, 0, said.error);
  const counted = counting(t);
  const env = { ...process.env, ...variables, ...counted.variables };
  const child = spawn(process.execPath, [bin, 'save', 'design', '-', ...words], { cwd, env });
  let error = '';
  child.stderr.on('data', (text) => (error += text));
  let isOver = false;
  const ended = once(child, 'close').finally(() => (isOver = true));
  // It is connected by now, and reads its input before it asks for anything.
  const connected = "application_name = 'milepost' AND state = 'idle' AND query LIKE '%migrations%'";
  const isConnected = async () => (await own.run(`SELECT 1 FROM pg_stat_activity WHERE ${connected}`)).length > 0;
  while (!isOver && !(await isConnected()));
  own.stop();
  const before = counted.tries();
  child.stdin.on('error', () => {});
  child.stdin.end('{"phases": {}}');
  assert.deepEqual(await ended, [74, null], error);
  assert.match(error, /^milepost: [^\n]+\n$/);
  const tries = counted.tries() - before;
  assert.ok(tries > 0 && tries <= MOST_TRIES_OF_ONE_WAIT, `it tried ${tries} times to connect`);
});

test('a slow database is not taken for one that is away', async (t) => {
  const cwd = emptyFolder(t);
  // By such a clock every database is slow.
  const clock = 'const { now } = performance; performance.now = () => 1e6 * now.call(performance);';
  const variables = { URL: urlOf(server.connection), ...preloading(t, clock) };
  const words = ['phase', 'design', 'a', 'pending', '--store', 'env:URL', '--project', newProject()];
  const { code, error } = await call(cwd, words, { variables });
  assert.deepEqual([code, error], [0, '']);
});

test('an interrupted call does not wait for the database', async (t) => {
  const cwd = emptyFolder(t);
  const silent = net.createServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  const connected = once(silent, 'connection');
  await once(silent, 'listening');
  const env = { ...process.env, URL: `postgres://me@127.0.0.1:${silent.address().port}/db` };
  const child = spawn(process.execPath, [bin, 'status', '--store', 'env:URL', '--project', 'a'], { cwd, env });
  const ended = once(child, 'exit');
  await connected;
  child.kill('SIGINT');
  assert.deepEqual(await ended, [null, 'SIGINT']);
});

test('a thread that died ends the call with its reason', async (t) => {
  const cwd = emptyFolder(t);
  const dying = "if (!require('node:worker_threads').isMainThread) process.exit();";
  const variables = { URL: urlOf(server.connection), ...preloading(t, dying) };
  const said = await call(cwd, ['status', '--store', 'env:URL', '--project', 'a'], { variables });
  refused(said, 74, /The database cannot be used: the thread that asks the database has stopped/);
});

test('`pg` is found in the working folder, and named where it is missing', async (t) => {
  const elsewhere = emptyFolder(t);
  const copy = path.join(elsewhere, 'node_modules/milepost');
  fs.cpSync(installed, copy, { recursive: true });
  const program = path.join(copy, 'bin/milepost.js');
  const cwd = emptyFolder(t);
  const words = ['status', '--store', 'env:URL', '--project', newProject()];
  const variables = { URL: urlOf(server.connection) };
  refused(await call(cwd, words, { variables, program }), 64, /npm install pg/);
  assert.equal((await call(cwd, ['status'], { program })).code, 0);
  fs.mkdirSync(path.join(cwd, 'node_modules'));
  fs.symlinkSync(driver, path.join(cwd, 'node_modules/pg'));
  const found = await call(cwd, words, { variables, program });
  assert.deepEqual([found.code, found.error], [0, '']);
});

test('a call without --store loads nothing that reaches a database', async (t) => {
  const cwd = emptyFolder(t);
  const copy = path.join(cwd, 'milepost');
  fs.cpSync(installed, copy, { recursive: true });
  fs.rmSync(path.join(copy, 'dist/command-line-database.cjs'));
  const program = path.join(copy, 'bin/milepost.js');
  const said = await call(cwd, ['phase', 'design', 'a', 'pending', '--root', cwd], { program });
  assert.deepEqual([said.code, said.error], [0, '']);
});
