// A PostgreSQL server of its own for the tests of a file: in a temporary folder, on a socket in it, as a
// user who is not root.

import '../environment.mjs';
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
export const pg = require('pg');

/** The folder of `initdb` and `pg_ctl`. */
const PROGRAMS = process.env.MILEPOST_POSTGRES;

/** The server refuses to run as root. */
const UNPRIVILEGED = 65534;

/** Nothing here loses power: what is not synced is not lost by a server that is killed. */
const SETTINGS = [
  "listen_addresses = ''",
  'fsync = off',
  'max_connections = 60',
  'log_min_messages = warning',
];

export class Server {
  #folder;
  #user;

  /** @param {{settings?: string[]}} [options] */
  constructor({ settings = SETTINGS } = {}) {
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-pg-'));
    this.#user = process.getuid() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    if (this.#user.uid) fs.chownSync(this.#folder, UNPRIVILEGED, UNPRIVILEGED);
    const words = ['-D', this.data, '-U', 'milepost', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    this.#call('initdb', words);
    const socket = `unix_socket_directories = '${this.#folder}'`;
    fs.appendFileSync(path.join(this.data, 'postgresql.conf'), [...settings, socket, ''].join('\n'));
    this.start();
  }

  get data() {
    return path.join(this.#folder, 'data');
  }

  /** The options of `pg` to connect. */
  get connection() {
    return { host: this.#folder, user: 'milepost', database: 'postgres' };
  }

  start() {
    this.#call('pg_ctl', this.#words('start'));
  }

  /** Ends the server as a crash does, while this process goes on. */
  async crash() {
    await promisify(execFile)(path.join(PROGRAMS, 'pg_ctl'), [...this.#words('stop'), '-m', 'immediate'], this.#how());
  }

  /** Starts it again after that, while this process goes on. */
  async recover() {
    await promisify(execFile)(path.join(PROGRAMS, 'pg_ctl'), this.#words('start'), this.#how());
  }

  stop() {
    this.#call('pg_ctl', ['-D', this.data, '-m', 'immediate', '-w', 'stop']);
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs statements as the owner of everything. */
  async run(text, values) {
    const client = new pg.Client(this.connection);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Makes a pool, with settings that each of its connections begins with. */
  pool(options = {}) {
    const pool = new pg.Pool({ ...this.connection, ...options });
    pool.on('error', () => {});
    return pool;
  }

  #words(verb) {
    return ['-D', this.data, '-l', path.join(this.#folder, 'log'), '-w', verb];
  }

  #call(program, words) {
    execFileSync(path.join(PROGRAMS, program), words, { ...this.#how(), stdio: ['ignore', 'ignore', 'pipe'] });
  }

  #how() {
    return { ...this.#user, cwd: this.#folder };
  }
}

/** A server that is there for all tests of a file. */
export function serverFor(test) {
  const server = new Server();
  test.after(() => server.stop());
  return server;
}

/** No machine is so slow that an update is refused more often in a row. */
const MOST_TRIES = 20;

/** One update, again while others hold it up: nothing was written. */
export async function patiently(update) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await update();
    } catch (error) {
      if (error.code !== 'busy' || tries === MOST_TRIES) throw error;
    }
  }
}

let projects = 0;

/** A name that no other test has. */
export function newProject() {
  projects += 1;
  return `project-${projects}`;
}
