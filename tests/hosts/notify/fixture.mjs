// A project, receivers of this machine, and the command line between them.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';

import { openStore } from 'milepost';

import { bin, emptyFolder, git } from '../node/fixture.mjs';

/** That of the standard's own example. */
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * A receiver. `answer` makes of each request what is said, as `[status, headers, body]`; null: nothing, ever.
 *
 * @returns {Promise<{url: string, received: {headers: Record<string, string>, body: any, text: string, path: string}[], close: () => Promise<void>}>}
 */
export async function receiver(test, answer = () => [204]) {
  const received = [];
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const one = { headers: request.headers, body: JSON.parse(text), text, path: request.url };
      received.push(one);
      const said = answer(one, received.length);
      if (said === null) return;
      const [status, headers = {}, body = ''] = said;
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  test.after(close);
  return { url: `http://127.0.0.1:${server.address().port}/hook`, received, close };
}

/** A project whose settings have these notifications, and a store in it. */
export function project(test, notifications, more = {}) {
  const root = emptyFolder(test);
  const settings = path.join(root, '.claude/config/integrations.json');
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  const set = (said, others = {}) =>
    fs.writeFileSync(settings, JSON.stringify({ notifications: { allow_private_addresses: true, ...said }, ...others }));
  set(notifications, more);
  return { root, set, store: openStore({ root }) };
}

export const WEBHOOK = { webhooks: [{ url_env: 'HOOK_URL', secret_env: 'HOOK_SECRET' }] };

function environment(variables) {
  return { ...process.env, HOOK_SECRET: SECRET, ...variables };
}

/** Runs `milepost notify`, while this process goes on to answer. */
export function notify(root, variables, ...words) {
  const { done } = started(root, variables, ...words);
  return done;
}

/** Starts it, and gives the process. */
export function started(root, variables, ...words) {
  const child = spawn(process.execPath, [bin, '--root', root, 'notify', ...words], {
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => (stdout += part));
  child.stderr.on('data', (part) => (stderr += part));
  const done = new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { child, done, printed: () => stdout };
}

/** Has the settings changed after all that was reached before: only what is reached next is sent. */
export function reconfigured(root) {
  // A file has the time of a clock that ticks more coarsely; one that is ahead counts as now.
  const soon = new Date(Date.now() + 3_600_000);
  fs.utimesSync(path.join(root, '.claude/config/integrations.json'), soon, soon);
}

/** Begins, so that what follows is notified. */
export async function begin(root, variables) {
  const { code, stderr } = await notify(root, variables);
  if (code !== 0) throw new Error(stderr);
}

/**
 * Lets time go by: what waits is due. The file is edited, which the store takes for what it is.
 */
export function later(root) {
  const file = path.join(root, '.claude/state/notifications/cursor.json');
  const cursor = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const { deliveries } of cursor.queue) {
    for (const delivery of deliveries) {
      if (delivery.next_at !== undefined) delivery.next_at = '2020-01-01T00:00:00.000Z';
      if (delivery.claimed_until !== undefined) delivery.claimed_until = '2020-01-01T00:00:00.000Z';
    }
  }
  fs.writeFileSync(file, JSON.stringify(cursor));
}

/** The queue as it is stored. */
export function queue(root) {
  const file = path.join(root, '.claude/state/notifications/cursor.json');
  return JSON.parse(fs.readFileSync(file, 'utf8')).queue;
}

/** Makes the project a repository whose branch is this one. */
export function branch(root, name) {
  git(root, 'init', '--quiet', '--initial-branch', name);
}

/** Waits until something is so while a call goes on. */
export async function until(isSo, call) {
  let isOver = false;
  const over = call.done.then(() => (isOver = true));
  while (!isSo() && !isOver) await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 20))]);
  if (!isSo()) throw new Error(`it ended before: ${JSON.stringify(await call.done)}`);
}
