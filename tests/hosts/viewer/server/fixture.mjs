// A project that is shown, the verb that serves it, and visitors of every kind.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as path from 'node:path';

import { openStore } from 'milepost';

import { bin, emptyFolder, require } from '../../node/fixture.mjs';

/** For a machine that does much else: a longer wait is for something that never comes. */
export const LIMIT_MS = Number(process.env.MILEPOST_TEST_LIMIT_MS ?? 120_000);
/** As they are where a test moves the clock. */
const { setTimeout, clearTimeout } = globalThis;

/** The installed package. */
export const installed = path.dirname(require.resolve('milepost/package.json'));

/** The module of the verb. */
export const view = require(path.join(installed, 'dist/verbs.cjs')).view();

/** The options that the verb gives it. */
export const FILES = {
  pages: path.join(installed, 'dist/viewer'),
  thread: path.join(installed, 'dist/thread.cjs'),
  version: '0.0.0',
};

/** A project with a checkpoint of two revisions. */
export async function project(test) {
  const root = emptyFolder(test);
  const store = openStore({ root });
  store.updatePhase('design', 'research', { status: 'in_progress' });
  store.updatePhase('design', 'research', { status: 'complete', context_summary: 'It is known' });
  return { root, store, state: path.join(root, '.claude/state') };
}

/** Runs the command line, which ends by itself. */
export function milepost(root, ...words) {
  const child = started(root, words);
  return child.done;
}

function started(root, words, env = {}) {
  const { GIT_ROOT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [bin, '--root', root, ...words], {
    env: { ...inherited, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  const parts = [];
  child.stdout.on('data', (part) => {
    parts.push(part);
    printed.stdout += part;
  });
  child.stderr.on('data', (part) => (printed.stderr += part));
  const done = new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, ...printed, bytes: Buffer.concat(parts) })),
  );
  return { child, printed, done };
}

/** `milepost view`, as soon as it has said where it is. It is ended with the test. */
export async function served(test, root, ...words) {
  const { child, printed, done } = started(root, ['view', '--json', '--no-open', ...words]);
  test.after(() => child.kill('SIGKILL'));
  let hasEnded = false;
  void done.then(() => (hasEnded = true));
  await until(() => hasEnded || printed.stdout.includes('\n'));
  if (hasEnded) throw new Error(printed.stderr);
  const { url, port } = JSON.parse(printed.stdout);
  const [, token] = url.split('#token=');
  /** The end after a signal. */
  const end = (signal) => {
    child.kill(signal);
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    return done.finally(() => clearTimeout(limit));
  };
  return { child, end, printed, url, port, token };
}

/** A client that a server has let in. */
export async function visitor(server) {
  const { status, headers } = await get(server, '/api/session', { authorization: `Bearer ${server.token}` });
  if (status !== 200) throw new Error(`not let in: ${status}`);
  const cookie = headers['set-cookie'][0].split(';')[0];
  return {
    cookie,
    get: (url, more = {}) => get(server, url, { cookie, ...more }),
    /** The frames of an answer. */
    frames: async (url) => framesOf((await get(server, url, { cookie })).body),
    changes: (test) => changesOf(test, server, cookie),
  };
}

/** A server of a project, and a visitor whom it has let in. */
export async function shown(test, root, ...words) {
  const server = await served(test, root, ...words);
  return { server, own: await visitor(server) };
}

/** A page that listens to the changes of a project, once it receives each. */
export async function watched(t, root) {
  const server = await served(t, root);
  const own = await visitor(server);
  const heard = await own.changes(t);
  // The answer to this comes after the one to whether it is watched.
  const frames = await own.frames('/api/files');
  return { server, own, heard, frames };
}

/** The last header of a path that a page received. */
export const changeOf = (heard, path) => heard.headers.filter((it) => [it.file, it.folder, it.gone, it.link].includes(path)).at(-1);

/** An ordinary request, as a program makes it. */
export async function get(server, url, headers, method, host) {
  const response = await begun(server, url, headers, method, host);
  const parts = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
}

/** Asks, and gives the answer as soon as it begins; its content is left to the caller. */
export function begun({ port }, url, headers = {}, method = 'GET', host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const request = http.request({ host, port, path: url, headers, method, agent: false });
    request.on('response', resolve).on('error', reject);
    request.setTimeout(LIMIT_MS, () => request.destroy(new Error(`${url} was not answered`)));
    request.end();
  });
}

/** The answer of a server to these very bytes. */
export function raw({ port }, text, host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port }, () => socket.write(text));
    let answer = '';
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('what was sent was not answered')));
    socket.setEncoding('latin1');
    socket.on('data', (part) => (answer += part));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head, body] = answer.split('\r\n\r\n');
      const [line, ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
      );
      resolve({ status: Number(line.split(' ')[1]), headers, body });
    });
  });
}

/** A request in raw bytes; `host` null for none. */
export function request(url, { method = 'GET', host, more = [] } = {}) {
  const lines = [`${method} ${url} HTTP/1.1`, ...(host === null ? [] : [`Host: ${host}`]), ...more, 'Connection: close'];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Frames in the bytes of a stream, which has to end with one. */
export function framesOf(bytes) {
  const frames = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end < 0) throw new Error('a header is cut');
    const header = JSON.parse(bytes.toString('utf8', at, end));
    const length = header.bytes ?? 0;
    const content = bytes.subarray(end + 1, end + 1 + length);
    if (content.length !== length) throw new Error(`the content of ${header.file} is cut`);
    frames.push({ header, content: header.bytes === undefined ? undefined : content.toString() });
    at = end + 1 + length;
  }
  return frames;
}

/** The frame of a path. */
export function frameOf(frames, path) {
  return frames.find(({ header }) => [header.file, header.folder, header.link, header.gone].includes(path));
}

/** A page that listens. */
async function changesOf(test, server, cookie) {
  const response = await begun(server, '/api/changes', { cookie });
  const { req: request } = response;
  test.after(() => request.destroy());
  const heard = { headers: [], messages: 0, isClosed: false, request };
  response.on('error', () => {}).on('close', () => (heard.isClosed = true));
  await new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => {
      text += part;
      const events = text.split('\n\n');
      text = events.pop();
      for (const event of events.filter((it) => it.startsWith('data: '))) {
        heard.messages += 1;
        heard.headers.push(...JSON.parse(event.slice('data: '.length)));
      }
      resolve();
    });
    response.on('close', () => reject(new Error('the stream of changes ended')));
  });
  return heard;
}

/** Waits until something is so. */
export async function until(isSo) {
  const end = Date.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`it never came to be: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A file that appears whole. */
export function put(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.preparing`, content);
  fs.renameSync(`${file}.preparing`, file);
}
