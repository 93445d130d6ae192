// Shared parts of the tests of the viewer: the command line's server and export, and projects to look at.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, repository, require } from '../node/fixture.mjs';

/** The environment of the command line, without anything of that of the tests. */
function environment() {
  const { GIT_ROOT: _, GIT_DIR: __, NODE_EXTRA_CA_CERTS: ___, ...env } = process.env;
  return env;
}

/**
 * Takes acts that are done after all tests of a file. It is called where the file begins: `after` within a hook
 * is after that hook.
 */
export function untilTheEnd(after) {
  const acts = [];
  after(async () => {
    for (const act of acts.reverse()) await act();
  });
  return (act) => acts.push(act);
}

/** A value that is made when it is first asked for. */
export function once(make) {
  let made;
  return () => (made ??= make());
}

/** An empty folder, removed after the test, or after all tests of the file. */
export function folder(after) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-viewer-'));
  after(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

/** One call of the command line in a project: what it printed, and how it ended. */
export function milepost(root, words) {
  const run = spawnSync(process.execPath, [bin, '--root', root, ...words], {
    cwd: root,
    encoding: 'utf8',
    env: environment(),
    maxBuffer: 64 * 1024 ** 2,
  });
  return { code: run.status, out: run.stdout, complaint: run.stderr };
}

/** The answer as JSON. */
export function answer(root, words) {
  const { code, out, complaint } = milepost(root, [...words, '--json']);
  assert.notEqual(out, '', `${words.join(' ')} ended with ${code}: ${complaint}`);
  return JSON.parse(out);
}

/** A repository in which an agent changed a file and made another one in its only turn, after which a person made a third. */
export async function rewindable(t) {
  const settings = JSON.stringify({ agents: { rewind: true } });
  const root = repository(t, { 'a.txt': 'one\n', '.claude/config/integrations.json': settings });
  answer(root, ['phase', 'implement', 'parser', 'in_progress']);
  const event = (/** @type {string} */ hook_event_name, more = {}) => {
    const input = JSON.stringify({ session_id: 's', cwd: root, hook_event_name, ...more });
    const words = [require.resolve('milepost/hook'), 'claude-code'];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, input, encoding: 'utf8', env: environment() });
    assert.deepEqual([status, stderr], [0, '']);
  };
  event('UserPromptSubmit', { prompt: 'tidy up the parser' });
  for (const name of ['a.txt', 'b.txt']) fs.writeFileSync(path.join(root, name), 'by the agent\n');
  event('Stop');
  fs.writeFileSync(path.join(root, 'mine.txt'), 'by a person\n');
  return { root };
}

/** `milepost view` of a project, stopped after the test. */
export class Server {
  /**
   * @param {(stop: () => void) => void} after
   * @param {string[]} place the options that name the project; without any, it is that of the working directory
   */
  static async of(root, after, words = [], place = ['--root', root]) {
    const child = spawn(process.execPath, [bin, 'view', '--no-open', ...place, ...words], {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new Server(child);
    after(() => child.kill('SIGKILL'));
    server.address = await server.#printed(/http:\/\/\S+#token=[\w-]+/);
    server.origin = new URL(server.address).origin;
    return server;
  }

  #said = '';

  constructor(child) {
    this.child = child;
    this.ended = new Promise((resolve) => child.once('exit', resolve));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.#said += text));
    }
  }

  /** Waits for a line that it prints. */
  #printed(pattern) {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const look = () => {
        const [found] = pattern.exec(this.#said) ?? [];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${this.#said}`)));
    });
  }

  /** Exchanges the token for a cookie, as a browser's driver takes it. */
  async enter() {
    const [, token] = this.address.split('#token=');
    const { headers } = await fetch(`${this.origin}/api/session`, { headers: { authorization: `Bearer ${token}` } });
    const [name, value] = headers.get('set-cookie').split(';')[0].split('=');
    return { name, value, url: this.origin, httpOnly: true, sameSite: 'Strict' };
  }

  /** Ends it as Ctrl-C does. */
  async stop() {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

/** `milepost export --html` of a project, as the address of the file. */
export function exported(root, file, words = []) {
  const { code, complaint, out } = milepost(root, ['export', '--html', file, ...words]);
  assert.equal(code, 0, complaint + out);
  return pathToFileURL(file).href;
}
