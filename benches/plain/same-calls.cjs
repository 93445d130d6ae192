'use strict';

// The system calls of one `updatePhase`, and nothing else: no JSON, no hash, no rule. What a Node that has to make them
// cannot be faster than.

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const { constants } = fs;
const LOOK = constants.O_RDONLY | constants.O_NONBLOCK;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const CONTENT = Buffer.alloc(941, 'x');
const LOCK = Buffer.alloc(38, 'x');
const INPUT = Buffer.alloc(4096);

/** The state folder of a project, with what an update finds there. */
class SameCalls {
  #update = 0;

  /** @param {string} root */
  constructor(root) {
    this.root = root;
    this.state = path.join(root, '.claude/state');
    this.side = path.join(this.state, '.milepost/implement-checkpoint');
    for (const folder of ['tokens', 'history']) fs.mkdirSync(path.join(this.side, folder), { recursive: true });
    this.document = path.join(this.state, 'implement-checkpoint.json');
    fs.writeFileSync(this.document, CONTENT);
    fs.writeFileSync(path.join(this.state, '.gitignore'), '*\n');
    this.looked = ['.claude', '.claude/state', '.claude/state/.milepost'].map((name) => path.join(root, name));
    this.looked.push(this.side, ...['tokens', 'history'].map((name) => path.join(this.side, name)), this.document);
    this.looked.push(path.join(this.side, 'waiting'), path.join(this.state, '.gitignore'));
    this.branch = fs.readFileSync(path.join(root, '.git/HEAD'), 'utf8').trim().replace('ref: ', '');
  }

  update() {
    const { root, side, document } = this;
    const token = crypto.randomBytes(16).toString('hex');
    const [tokens, history] = [path.join(side, 'tokens'), path.join(side, 'history')];
    const [lock, copy] = [path.join(side, 'lock'), path.join(history, `${token}.tmp`)];
    const at = path.join(tokens, token);
    look(path.join(root, '.git'));
    read(path.join(root, '.git/HEAD'));
    read(path.join(root, '.git', this.branch));
    read(path.join(root, '.claude/config/integrations.json'));
    for (const file of this.looked) look(file);
    create(lock, LOCK, false);
    fs.readdirSync(history);
    read(document);
    create(`${at}.new`, CONTENT, true);
    fs.renameSync(`${at}.new`, at);
    fs.readdirSync(tokens);
    fs.linkSync(document, copy);
    read(copy);
    fs.renameSync(copy, path.join(history, `${this.#update++}.json`));
    fs.renameSync(at, document);
    const folder = fs.openSync(this.state, constants.O_RDONLY | constants.O_DIRECTORY);
    fs.fsyncSync(folder);
    fs.closeSync(folder);
    create(path.join(history, `next-${this.#update}.json`), CONTENT, false);
    fs.unlinkSync(lock);
    read(path.join(root, '.git/index'));
  }
}

/** @param {string} file */
function look(file) {
  fs.lstatSync(file, { throwIfNoEntry: false });
}

/** @param {string} file */
function read(file) {
  let descriptor;
  try {
    descriptor = fs.openSync(file, LOOK);
  } catch {
    return;
  }
  fs.fstatSync(descriptor);
  while (fs.readSync(descriptor, INPUT) > 0);
  fs.closeSync(descriptor);
}

/**
 * @param {string} file
 * @param {Buffer} content
 * @param {boolean} isSynced
 */
function create(file, content, isSynced) {
  const descriptor = fs.openSync(file, NEW, 0o600);
  fs.writeSync(descriptor, content);
  if (isSynced) fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

module.exports = { SameCalls };
