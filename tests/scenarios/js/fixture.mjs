// The folders of one scenario: a project, its surroundings, and their content.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { bytes, string } from './text.mjs';

/** Stands only in files outside of the project. */
export const SECRET = 's3cr3t';
/** Larger files are compared by size and time of change. */
const LARGE = 32 * 1024 ** 2;

/** Thrown where something cannot be put in place, such as a device without being root. */
export class CannotBeHad extends Error {}

/** A folder with `project/`, which is the root, and `elsewhere/`, which links lead to. */
export class Fixture {
  /** The paths at which links were planted. */
  #links = new Set();

  /** @param {string} top an empty folder, which another function removes */
  constructor(top) {
    this.top = top;
    this.project = path.join(this.top, 'project');
    fs.mkdirSync(this.project);
    for (const file of ['secret.json', 'claude/design-checkpoint.json']) {
      const secret = JSON.stringify({ command: 'design', note: SECRET });
      write(path.join(this.top, 'elsewhere', file), secret);
    }
  }

  at(below) {
    return path.join(this.project, below);
  }

  /** Everything that no operation may change. */
  foreign() {
    return snapshot(this.top, this.at('.claude'));
  }

  /** The planted links that are still there. */
  links() {
    return [...this.#links].filter(isLink);
  }

  /** Puts things in place. */
  put(things) {
    for (const thing of things) {
      const [kind] = Object.keys(thing);
      if (kind === 'git') {
        this.#makeRepository(thing.git);
        continue;
      }
      const file = this.at(string(thing[kind]));
      if (kind !== 'edit' && kind !== 'strays') fs.rmSync(file, { recursive: true, force: true });
      fs.mkdirSync(path.dirname(file), { recursive: true });
      this.#put(kind, file, thing);
    }
  }

  #put(kind, file, { holds, size, replace, to, count }) {
    switch (kind) {
      case 'gone':
        return;
      case 'file':
        fs.writeFileSync(file, holds === undefined ? '' : bytes(holds));
        if (size !== undefined) fs.truncateSync(file, size);
        return;
      case 'edit': {
        const [from, into] = replace.map(string);
        const before = fs.readFileSync(file, 'utf8');
        if (!before.includes(from)) throw new Error(`no ${from} in ${before}`);
        fs.writeFileSync(file, before.replace(from, () => into));
        return;
      }
      case 'folder':
        fs.mkdirSync(file);
        return;
      case 'strays':
        // wine looks through the whole folder for each name that is opened in it.
        if (process.platform === 'win32') throw new CannotBeHad();
        fs.mkdirSync(file, { recursive: true });
        for (let at = 0; at < count; at++) fs.writeFileSync(path.join(file, `stray-${at}`), '');
        return;
      case 'link':
        if (process.platform === 'win32') throw new CannotBeHad();
        fs.symlinkSync(path.resolve(this.top, to), file);
        this.#links.add(file);
        return;
      case 'pipe':
        return make('mkfifo', [file]);
      case 'device':
        return make('mknod', [file, 'c', '1', '5']);
      default:
        throw new Error(`nothing is put in place by ${kind}`);
    }
  }

  /** A repository with one commit, then with this configuration. */
  #makeRepository({ track = [], config = [], refs = 'files' }) {
    const format = refs === 'files' ? [] : [`--ref-format=${refs}`];
    if (!this.#git('init', '-q', ...format)) throw new CannotBeHad();
    const done = [
      ...track.map((file) => this.#git('add', '-f', file)),
      this.#git('commit', '-q', '--allow-empty', '-m', 'first'),
      ...config.map(([key, value]) => this.#git('config', key, value)),
    ];
    if (done.includes(false)) throw new Error('git failed');
  }

  #git(...words) {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) delete env[name];
    const user = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    return spawnSync('git', [...user, ...words], { cwd: this.project, env }).status === 0;
  }
}

function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    // Gone, or something else stands on the way there.
    return false;
  }
}

function write(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

function make(program, words) {
  if (spawnSync(program, words).status !== 0) throw new CannotBeHad();
}

/**
 * A path and everything below it; nothing is followed, and nothing special is opened.
 *
 * @param {string} file
 * @param {string} [without] a path to leave out, with everything below it
 * @returns {Map<string, string>}
 */
export function snapshot(file, without) {
  const seen = new Map();
  add(file, without, seen);
  return seen;
}

function add(file, without, seen) {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || file === without) return;
  if (found.isDirectory()) {
    seen.set(file, 'folder');
    for (const name of fs.readdirSync(file)) add(path.join(file, name), without, seen);
  } else if (found.isSymbolicLink()) {
    seen.set(file, `link to ${fs.readlinkSync(file)}`);
  } else if (!found.isFile()) {
    seen.set(file, 'special');
  } else if (found.size > LARGE) {
    seen.set(file, `${found.size} bytes of ${found.mtimeMs}`);
  } else {
    const digest = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
    seen.set(file, `${found.size} bytes of ${digest}`);
  }
}

/**
 * The files that are neither the document, nor a revision, nor the ones that keep git away.
 *
 * @param {string} root
 * @returns {string[]} relative to the state folder
 */
export function leftOver(root) {
  const state = path.join(root, '.claude/state');
  if (!fs.existsSync(path.join(state, '.gitignore'))) throw new Error('no .gitignore');
  const files = [...snapshot(state)].filter(([, what]) => what !== 'folder');
  return files
    .map(([file]) => path.relative(state, file).split(path.sep).join('/'))
    .filter((file) => !/^(design-checkpoint\.json|\.gitignore)$/.test(file))
    .filter((file) => !/^\.milepost\/design-checkpoint\/history\/.*\.json$/.test(file));
}
