// The host adapter for Node and whatever speaks its `fs`: performs one effect, decides nothing.

import { resolve } from 'node:path';
import * as files from './files.js';
import { failed } from './fault.js';
import { variable } from './permission.js';
import * as system from './system.js';

/** @typedef {import('milepost:glue').Effect} Effect */
/** @typedef {import('milepost:glue').Outcome} Outcome */

/**
 * Performs one effect. What goes wrong is an outcome.
 *
 * @param {Effect} effect
 * @returns {Outcome}
 */
export function perform(effect) {
  try {
    return dispatch(effect);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Where this process works. Read anew each time: scripts and tests change it.
 *
 * @returns {{git_root: string | null, working: string}}
 */
export function place() {
  return { git_root: variable('GIT_ROOT') ?? null, working: process.cwd() };
}

/** @param {string} path as it is opened from the working folder */
export function absolute(path) {
  return resolve(path);
}

/**
 * @param {Effect} effect
 * @returns {Outcome}
 */
function dispatch(effect) {
  switch (effect.effect) {
    case 'clock':
      return system.clock();
    case 'random':
      return system.random(effect.length);
    case 'wait':
      return system.wait(effect.ms);
    case 'ascend':
      return files.ascend(effect.from, effect.name);
    case 'inspect':
      return files.inspect(effect.paths);
    case 'read':
      return files.read(effect.path, effect.limit, effect.links);
    case 'readStart':
      return files.readStart(effect.path, effect.limit);
    case 'makeFolder':
      return files.makeFolder(effect.path, effect.access);
    case 'create':
      return files.create(effect.path, effect.bytes, effect.sync, effect.access);
    case 'rename':
      return files.rename(effect.from, effect.to);
    case 'link':
      return files.link(effect.from, effect.to);
    case 'remove':
      return files.remove(effect.path);
    case 'removeFolder':
      return files.removeFolder(effect.path);
    case 'restrict':
      return files.restrict(effect.path);
    case 'list':
      return files.list(effect.path, effect.limit);
    case 'syncFolder':
      return files.syncFolder(effect.path);
    case 'readRecord':
    case 'swapRecord':
    case 'listRecords':
      return { outcome: 'failed', fault: 'unsupported', detail: 'this host has files, and no records' };
    case 'git':
      return system.git(effect.folder, effect.arguments);
    case 'print':
      return system.print(effect.stream, effect.text);
    case 'input':
      return system.input(effect.limit);
  }
}
