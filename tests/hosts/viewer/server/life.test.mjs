// The beginning and the end of the local server, its output, and that it leaves everything unchanged.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import test from 'node:test';

import { bin, emptyFolder, needsGit, onTerminal } from '../../node/fixture.mjs';
import { rewindable } from '../fixture.mjs';
import { FILES, LIMIT_MS, begun, get, milepost, project, put, served, until, view, visitor } from './fixture.mjs';

const MINUTE_MS = 60_000;

/** A server of this process, in which time passes by `wait` alone. */
async function timed(t) {
  const { root, store } = await project(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const place = { root, working: root, git_root: null, dir: null };
  const server = new view.ViewServer({ ...FILES, place, port: null });
  t.after(() => server.stop());
  await server.start();
  const [, token] = server.address.split('#token=');
  const it = { store, token, port: server.port, isOver: false, wait: (ms) => t.mock.timers.tick(ms) };
  void server.ended.then(() => (it.isOver = true));
  return it;
}

test('a page is given the words that start the program, as text', async (t) => {
  const { root } = await project(t);
  const place = { root, working: root, git_root: null, dir: null };
  const program = 'wasmtime run --dir "<&>" milepost.wasm';
  const server = new view.ViewServer({ ...FILES, place, program, port: null });
  t.after(() => server.stop());
  await server.start();
  const [, token] = server.address.split('#token=');
  const at = { port: server.port, token };
  const page = (await get(at, '/')).body.toString();
  assert.ok(page.includes('content="wasmtime run --dir &quot;&lt;&amp;>&quot; milepost.wasm"'), page);
  assert.ok(!page.includes('<code>milepost '), page);
  const refused = JSON.parse((await get(at, '/api/files')).body);
  assert.equal(refused.error.message, `Open the address that \`${program} view\` printed`);
  const [{ header }] = await (await visitor(at)).frames('/api/files');
  assert.equal(header.meta.program, program);
});

/** Everything below a folder, with its times and bytes. */
function snapshot(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .sort()
    .map((name) => {
      const { mtimeMs, ctimeMs, mode, ino } = fs.lstatSync(path.join(folder, name));
      return { name, mtimeMs, ctimeMs, mode, ino };
    });
}

test('Ctrl-C or a request to end closes every stream, and is no failure', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    const { root } = await project(t);
    const server = await served(t, root);
    const own = await visitor(server);
    const heard = await own.changes(t);
    const { code, stderr } = await server.end(signal);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, signal);
    await until(() => heard.isClosed);
  }
});

test('a stream that is not read does not keep the process', async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 20; at++) put(path.join(state, `a${at}-checkpoint.json`), Buffer.alloc(5_000_000, 'x'));
  const server = await served(t, root);
  const { cookie } = await visitor(server);
  const response = await begun(server, '/api/files', { cookie });
  response.on('error', () => {}).pause();
  assert.equal((await server.end('SIGINT')).code, 0);
});

test('an examination does not keep the process', async (t) => {
  const { root, state } = await project(t);
  // Files that a writer may be about to finish are looked at again after two seconds.
  put(path.join(state, '.milepost/design-checkpoint/tokens/00112233445566778899aabbccddeeff'), 'x');
  const server = await served(t, root);
  const own = await visitor(server);
  let isAnswered = false;
  const asked = own.get('/api/doctor').then(
    () => (isAnswered = true),
    () => {},
  );
  await own.get('/api/session');
  // On a machine that let this process stand still, it may have ended.
  const wasAnswered = isAnswered;
  assert.equal((await server.end('SIGINT')).code, 0);
  await asked;
  assert.equal(isAnswered, wasAnswered);
});

test('a server without a page ends after half an hour, and not before', async (t) => {
  const it = await timed(t);
  it.wait(30 * MINUTE_MS - 1);
  assert.equal((await get(it, '/')).status, 200);
  it.wait(1);
  await until(() => it.isOver);
});

test('a server goes on while a page is open, and ends when it has left', async (t) => {
  const it = await timed(t);
  const own = await visitor(it);
  const heard = await own.changes(t);
  it.wait(90 * MINUTE_MS);
  assert.equal((await get(it, '/')).status, 200);
  it.store.updatePhase('design', 'plan', { status: 'in_progress' });
  await until(() => {
    it.wait(1000);
    return heard.headers.length > 0;
  });
  heard.request.destroy();
  // When it is noticed that the page has left, the half hour begins.
  await until(() => {
    it.wait(MINUTE_MS);
    return it.isOver;
  });
  await assert.rejects(get(it, '/'), { code: 'ECONNREFUSED' });
});

test('a client that was not let in does not keep a server from ending', async (t) => {
  const it = await timed(t);
  for (let minute = 1; minute < 30; minute++) {
    it.wait(MINUTE_MS);
    assert.equal((await get(it, '/api/files')).status, 401);
  }
  it.wait(MINUTE_MS);
  await until(() => it.isOver);
});

test('a port in use is named, and not taken for another one', async (t) => {
  const { root } = await project(t);
  const first = await served(t, root);
  const { code, stdout, stderr } = await milepost(root, 'view', '--port', String(first.port));
  assert.deepEqual({ code, stdout }, { code: 74, stdout: '' });
  assert.equal(stderr, `milepost: Port ${first.port} cannot be listened on: it is in use; name another one, or none\n`);
  const json = await milepost(root, 'view', '--json', '--port', String(first.port));
  assert.equal(JSON.parse(json.stderr).error.code, 'io');
  assert.equal((await get(first, '/')).status, 200);
});

test('two servers of one project do not get in each other’s way', async (t) => {
  const { root } = await project(t);
  const [first, second] = [await served(t, root), await served(t, root)];
  assert.notEqual(first.port, second.port);
  const own = await visitor(first);
  assert.equal((await get(second, '/api/files', { cookie: own.cookie })).status, 401);
  await visitor(second);
  assert.equal((await own.get('/api/files')).status, 200);
});

/** A port that has no listener at this moment. */
async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  return port;
}

test('the port is the one that was asked for', async (t) => {
  const { root } = await project(t);
  let port;
  let server;
  await until(async () => {
    port = await freePort();
    server = await served(t, root, '--port', String(port)).catch((error) => {
      // Another program has it by now.
      assert.match(error.message, /it is in use/);
    });
    return server !== undefined;
  });
  assert.equal(server.port, port);
  assert.ok(server.url.startsWith(`http://127.0.0.1:${port}/#token=`));
});

test('an invalid root is refused', async (t) => {
  const { code, stdout, stderr } = await milepost(path.join(emptyFolder(t), 'x'), 'view', '--no-open');
  assert.deepEqual({ code, stdout }, { code: 64, stdout: '' });
  assert.match(stderr, /^milepost: The root .* does not exist\n$/);
});

test('looking writes nothing', async (t) => {
  const { root } = await project(t);
  const before = snapshot(root);
  const own = await visitor(await served(t, root));
  await own.changes(t);
  await own.frames('/api/files');
  for (const url of ['/api/doctor', '/api/prompts']) assert.equal((await own.get(url)).status, 200);
  assert.deepEqual(snapshot(root), before);
});

test('doctor’s findings are those of the command line', async (t) => {
  const { root, state } = await project(t);
  fs.writeFileSync(path.join(state, 'review-checkpoint.json'), '{');
  fs.chmodSync(state, 0o755);
  const own = await visitor(await served(t, root));
  const [one, two] = await Promise.all([own.get('/api/doctor'), own.get('/api/doctor')]);
  const { stdout, code } = await milepost(root, 'doctor', '--json', '--look-only');
  assert.equal(code, 1);
  const findings = JSON.parse(one.body.toString());
  assert.deepEqual(findings, JSON.parse(two.body.toString()));
  // Commands that are shown to be typed name the place as the caller did.
  assert.deepEqual(findings, JSON.parse(stdout));
  assert.ok(findings.some(({ check, level }) => check === 'modes' && level === 'warning'));
  assert.ok(!findings.some(({ check }) => check === 'file_system'));
});

test('prompts and the plan of a rewind are those of the command line, and looking at them touches nothing', needsGit, async (t) => {
  const { root } = await rewindable(t);
  const own = await visitor(await served(t, root));
  const before = snapshot(root);
  const [prompts, again] = await Promise.all([own.get('/api/prompts'), own.get('/api/prompts')]);
  const listed = JSON.parse(prompts.body.toString());
  assert.deepEqual(listed, JSON.parse(again.body.toString()));
  assert.deepEqual(listed, JSON.parse((await milepost(root, 'rewind', '--json')).stdout));
  const [{ id }] = listed;
  const { command, ...planned } = JSON.parse((await own.get(`/api/prompts/${id}`)).body.toString());
  assert.deepEqual(planned, JSON.parse((await milepost(root, 'rewind', '--to', id, '--dry-run', '--json')).stdout));
  assert.deepEqual(planned.plan.changes.map(({ path: changed }) => changed), ['a.txt', 'b.txt']);
  assert.ok(command.endsWith(` rewind --to ${id} --plan ${planned.plan.id} --root ${root}`), command);
  const gone = await own.get('/api/prompts/chk-20010101-000000');
  assert.equal(gone.status, 500);
  assert.match(gone.body.toString(), /No prompt of this branch was kept/);
  assert.deepEqual(snapshot(root), before);
});

const needsDisplay = { skip: process.platform !== 'linux' && 'a terminal is made by `script`, and a display by a variable' };

/**
 * A program in the place of a browser's, which keeps what it is given and what that shows, and ends the server. Where
 * it `enters`, it is let in first, and waits until what it was given is gone.
 */
function standIn(t, { enters = false, home } = {}) {
  const folder = path.join(emptyFolder(t), 'a b');
  fs.mkdirSync(folder);
  const kept = path.join(folder, 'opened');
  const script = `#!${process.execPath}
    const fs = require('node:fs');
    const path = require('node:path');
    const { fileURLToPath } = require('node:url');
    const server = process.ppid;
    (async () => {
      const words = process.argv.slice(2);
      const file = fileURLToPath(words.at(-1));
      const modes = [file, path.dirname(file)].map((it) => (fs.statSync(it).mode & 0o777).toString(8));
      const page = fs.readFileSync(file, 'utf8');
      if (${enters}) {
        const [, origin, token] = /url=(http:[^#]*)#token=([^"]*)"/.exec(page);
        const { status } = await fetch(origin + 'api/session', { headers: { authorization: 'Bearer ' + token } });
        if (status !== 200) throw new Error('not let in: ' + status);
        const end = Date.now() + ${LIMIT_MS};
        while (fs.existsSync(path.dirname(file)) && Date.now() < end) await new Promise(setImmediate);
      }
      const isThere = fs.existsSync(path.dirname(file));
      fs.writeFileSync(${JSON.stringify(kept)}, JSON.stringify({ words, file, modes, page, isThere }));
    })().finally(() => process.kill(server, 'SIGINT'));
  `;
  for (const name of ['xdg-open', 'open']) fs.writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  const here = { CI: '', SSH_CONNECTION: '', SSH_TTY: '', DISPLAY: ':0' };
  const own = { PATH: `${folder}:${process.env.PATH}`, HOME: home ?? folder, TMPDIR: folder };
  return { folder, kept, env: { ...process.env, ...here, ...own } };
}

/** The arguments that it got, and the address that was printed. */
async function opened(t, how) {
  const { root } = await project(t);
  const { folder, kept, env } = standIn(t, how);
  const { raw } = onTerminal([process.execPath, bin, '--root', root, 'view'], { env });
  const [address] = /http:\/\/\S+/.exec(raw);
  assert.ok(fs.existsSync(kept), raw);
  return { ...JSON.parse(fs.readFileSync(kept, 'utf8')), address, folder };
}

test('on a terminal with a display a browser is opened, and led to the page alone', needsDisplay, async (t) => {
  const { words, page, address } = await opened(t);
  assert.equal(words.length, 1);
  assert.match(words[0], /^file:\/\/\/\S+$/);
  assert.equal(page.split(`; url=${address}"`).length, 2);
  assert.equal(page.split(`href="${address}"`).length, 2);
});

test('the token is in no argument of a program, and in no file that others may read', needsDisplay, async (t) => {
  const { words, modes, address } = await opened(t);
  const [, token] = address.split('#token=');
  assert.ok(!words.join(' ').includes(token), words.join(' '));
  assert.deepEqual(modes, ['600', '700']);
});

test('what leads to the page is gone after the server, and after a client was let in', needsDisplay, async (t) => {
  for (const enters of [false, true]) {
    const { file, isThere, folder } = await opened(t, { enters });
    assert.equal(path.dirname(path.dirname(file)), folder);
    assert.equal(isThere, !enters);
    assert.ok(!fs.existsSync(path.dirname(file)));
  }
});

test('a browser out of a snap gets a file that it can read', needsDisplay, async (t) => {
  const home = emptyFolder(t);
  fs.mkdirSync(path.join(home, 'snap'));
  const { file } = await opened(t, { home });
  assert.equal(path.dirname(path.dirname(file)), home);
  assert.match(path.relative(home, file), /^[^.s]/);
  assert.deepEqual(fs.readdirSync(home), ['snap']);
});

test('no browser is opened where it would not be seen', needsDisplay, async (t) => {
  const { root } = await project(t);
  const { kept, env } = standIn(t);
  for (const words of [[], ['--no-open']]) {
    const child = spawn(process.execPath, [bin, '--root', root, 'view', ...words], { env });
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (part) => (printed += part));
    await until(() => printed.includes('\n'));
    const [, token] = printed.trim().split('#token=');
    const port = Number(new URL(printed.trim()).port);
    // A browser that it would open is opened before it answers.
    await visitor({ port, token });
    child.kill('SIGINT');
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(fs.existsSync(kept), false, words.join(' '));
  }
});
