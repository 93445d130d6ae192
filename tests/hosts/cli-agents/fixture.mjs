// A project that has the packed package, as its users install it, and a home that is thrown away.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { openSnapshots } from 'milepost/snapshots';
import { receivedOf } from '../../agents/recorded.mjs';
import { emptyFolder } from '../node/fixture.mjs';

const { MILEPOST_TARBALL: tarball } = process.env;
assert.ok(tarball, 'MILEPOST_TARBALL names the packed package');

/** Longer than anything here takes where a machine is busy: it ends what hangs. */
export const PATIENCE = { timeout: 120_000 };

const NODE = path.dirname(process.execPath);

/** A hook of the user's that writes down what it gets, in a file: each event on a line. */
const RECORDER = `
const fs = require('node:fs');
const [file, event] = process.argv.slice(2);
const payload = JSON.parse(fs.readFileSync(0, 'utf8'));
fs.appendFileSync(file, JSON.stringify({ event, payload }) + '\\n');
`;

/**
 * A repository on the branch of a feature, with one commit and the hooks of an agent.
 *
 * @param {import('node:test').TestContext} test
 * @param {string} agent
 * @param {{[file: string]: string}} files what is in it before the hooks
 */
export function newProject(test, agent, files = {}) {
  const folder = emptyFolder(test);
  const [root, home, temporary] = ['project', 'home', 'tmp'].map((name) => path.join(folder, name));
  for (const made of [root, home, temporary]) fs.mkdirSync(made);
  /** Nothing of the user who runs these tests: no account, no settings, no other agent. */
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = process.env;
  const env = {
    PATH: `${NODE}${path.delimiter}${process.env.PATH}`,
    ...{ HOME: home, TMPDIR: temporary, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM },
  };
  const put = (name, text) => {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  const git = (...words) => execFileSync('git', words, { cwd: root, env });
  const milepost = (...words) =>
    execFileSync(path.join(root, 'node_modules/.bin/milepost'), words, { cwd: root, env, encoding: 'utf8' });

  git('init', '--quiet', '--initial-branch=dark-mode');
  const usual = { '.gitignore': 'node_modules\n', 'package.json': '{ "private": true }\n', 'notes.txt': 'old\n' };
  for (const [name, text] of Object.entries({ ...usual, ...files })) put(name, text);
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--save-dev', ...quietly, tarball], { cwd: root, stdio: 'pipe' });
  git('add', '.');
  git('commit', '--quiet', '--message=before');
  milepost('hooks', 'install', agent);
  const [recorder, record] = ['recorder.cjs', 'record.jsonl'].map((name) => path.join(folder, name));

  return {
    /**
     * The words that are run at each event, beside the hooks of the project: an agent has them in the user's settings.
     *
     * @type {{[event: string]: string[]}}
     */
    recorders: {},
    /** Has the payloads of these events written down from now on. */
    record(events) {
      fs.writeFileSync(recorder, RECORDER);
      fs.writeFileSync(record, '');
      for (const event of events) this.recorders[event] = [process.execPath, recorder, record, event];
    },
    /** The lines that were written down, in the order in which they came. */
    recorded: () => fs.readFileSync(record, 'utf8').split('\n').filter(Boolean).map(receivedOf),
    root,
    home,
    milepost,
    put,
    read: (name) => fs.readFileSync(path.join(root, name), 'utf8'),
    has: (name) => fs.existsSync(path.join(root, name)),
    atHome(name, text) {
      const file = path.join(home, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    },
    checkpoints: () => openStore({ root }).list(),
    load: (command, feature) => openStore({ root }).load(command, feature),
    reasons: () => openSnapshots({ root }).list().map(({ reason }) => reason),
    run: (program, words, model, more, node = process.execPath) =>
      run(test, [node, program, ...words], { cwd: root, env: { ...env, ...behind(model), ...more } }),
  };
}

/**
 * Everything that is not meant for the model server goes to it too, and is refused.
 *
 * @param {import('./model.mjs').Model} model
 */
function behind({ address }) {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return { ...Object.fromEntries(names.map((name) => [name, address])), NO_PROXY: '127.0.0.1' };
}

/**
 * Runs an agent to its end; what it started ends with the test. Returns what it printed.
 *
 * @param {import('node:test').TestContext} test
 * @param {string[]} words Node, a script for it or a program, and its words
 * @param {{cwd: string, env: {[name: string]: string}}} how
 */
async function run(test, words, how) {
  const command = /\.c?js$/.test(words[1]) ? words : words.slice(1);
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
  const child = spawn(command[0], command.slice(1), { ...how, stdio, detached: true });
  test.after(() => endGroup(child));
  const printed = { out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (printed.errors += text));
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

function endGroup({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** The recorders of a project as the settings of most agents have hooks: a group for each event. */
export function groups({ recorders }) {
  const handler = (words) => ({ type: 'command', command: lineOf(words) });
  return Object.fromEntries(Object.entries(recorders).map(([event, words]) => [event, [{ hooks: [handler(words)] }]]));
}

/** Words as a line for a shell. */
export const lineOf = (words) => words.map((word) => `"${word}"`).join(' ');

/** The text before a line of JSON in the request to the model. */
const SENTENCE = /Where the work in this project stands[^\n]*\n(\{.*\})/g;

/**
 * Every resume point that a request to the model has, the oldest first.
 *
 * @param {{asked: any}} step
 */
export function resumePoints(step) {
  return contextsOf(step).filter((context) => !('notice' in context));
}

/**
 * Every sentence that a request to the model has of this program, the oldest first.
 *
 * @param {{asked: any}} step
 * @returns {string[]}
 */
export function noticesOf(step) {
  return contextsOf(step).flatMap(({ notice = [] }) => notice);
}

function contextsOf({ asked }) {
  /** @type {string[]} */
  const texts = [];
  JSON.stringify(asked, (_, value) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.flatMap((text) => [...text.matchAll(SENTENCE)].map(([, data]) => JSON.parse(data)));
}
