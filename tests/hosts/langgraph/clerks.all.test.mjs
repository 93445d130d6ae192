// The example on PostgreSQL: two processes at one thread, of which each loses once and goes on.

import { execFileSync, spawn } from 'node:child_process';
import * as path from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { Server } from '../postgres/server.mjs';

const script = path.join(import.meta.dirname, '../../../host-examples/langgraph/clerk.mjs');
const server = new Server();
afterAll(() => server.stop());
const { host, user, database } = server.connection;
const env = { ...process.env, PGHOST: host, PGUSER: user, PGDATABASE: database };

/** A process that gets answers, and what it has said. */
class Clerk {
  #process;
  #said = '';
  #look = () => {};

  constructor(name) {
    this.#process = spawn(process.execPath, [script, 'work', 'a thread', name], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process.stdout.setEncoding('utf8').on('data', (text) => {
      this.#said += text;
      this.#look();
    });
    this.ended = new Promise((done) => this.#process.on('close', () => done(this.lines)));
  }

  get lines() {
    return this.#said.trim().split('\n');
  }

  /** Waits until its last line is this one. */
  says(line) {
    return new Promise((done) => {
      this.#look = () => {
        if (this.lines.at(-1) === line) done();
      };
      this.#look();
    });
  }

  answers(line) {
    this.#process.stdin.write(`${line}\n`);
  }
}

it('a request is decided by one clerk, and the other one goes on', async () => {
  execFileSync(process.execPath, [script, 'open', 'a thread', 'a chair', 'a yacht'], { env });
  const [ada, bob] = ['Ada', 'Bob'].map((name) => new Clerk(name));
  await Promise.all([ada.says('a chair?'), bob.says('a chair?')]);

  ada.answers('yes');
  await ada.says('a yacht?');
  bob.answers('no');
  await bob.says('a yacht?');
  bob.answers('no');
  const all = ['a chair: yes (Ada)', 'a yacht: no (Bob)'];
  expect(await bob.ended).toEqual(['a chair?', 'another clerk was faster', 'a yacht?', ...all]);
  ada.answers('yes');
  expect(await ada.ended).toEqual(['a chair?', 'a yacht?', 'another clerk was faster', ...all]);
}, 60_000);
