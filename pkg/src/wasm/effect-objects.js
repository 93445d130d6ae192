// Printed from the table of effects; a test holds the file to it.

import * as ffi from './ffi.js';

/** The form of the answer to each effect. */
export const ANSWERS = /** @type {Record<string, import('../../types/operation.js').Outcome['outcome']>} */ ({
  clock: 'clock',
  random: 'bytes',
  wait: 'done',
  ascend: 'found',
  inspect: 'entries',
  read: 'bytes',
  readStart: 'bytes',
  makeFolder: 'done',
  create: 'done',
  rename: 'done',
  link: 'done',
  remove: 'done',
  removeFolder: 'done',
  restrict: 'done',
  list: 'names',
  syncFolder: 'done',
  readRecord: 'bytes',
  swapRecord: 'done',
  listRecords: 'names',
  git: 'bytes',
  print: 'done',
  input: 'bytes',
  survey: 'names',
  part: 'bytes',
  readLink: 'bytes',
  append: 'done',
  symlink: 'done',
  setMode: 'done',
  scan: 'scanned',
  countTokens: 'counted',
});

/**
 * Returns the effect that the wasm asks for, as an object.
 *
 * @type {(...call: Parameters<ffi.Perform>) => import('../../types/operation.js').Effect}
 */
export function effectOf(effect, textAt, textLength, more, moreLength, number, flag) {
  const name = ffi.EFFECTS[effect];
  const text = ffi.text(textAt, textLength);
  switch (name) {
    case 'clock':
      return { effect: name };
    case 'random':
      return { effect: name, length: number };
    case 'wait':
      return { effect: name, ms: number };
    case 'ascend':
      return { effect: name, from: text, name: ffi.text(more, moreLength) };
    case 'inspect':
      return { effect: name, paths: ffi.texts(textAt, textLength) };
    case 'read':
      return { effect: name, path: text, limit: number, links: flag ? 'refuse' : 'follow' };
    case 'readStart':
      return { effect: name, path: text, limit: number };
    case 'makeFolder':
      return { effect: name, path: text, access: flag ? 'shared' : 'owner' };
    case 'create':
      return { effect: name, path: text, bytes: ffi.copied(more, moreLength), sync: number ? 'durable' : 'lazy', access: flag ? 'shared' : 'owner' };
    case 'rename':
      return { effect: name, from: text, to: ffi.text(more, moreLength) };
    case 'link':
      return { effect: name, from: text, to: ffi.text(more, moreLength) };
    case 'remove':
      return { effect: name, path: text };
    case 'removeFolder':
      return { effect: name, path: text };
    case 'restrict':
      return { effect: name, path: text };
    case 'list':
      return { effect: name, path: text, limit: number };
    case 'syncFolder':
      return { effect: name, path: text };
    case 'readRecord':
      return { effect: name, record: text };
    case 'swapRecord':
      return { effect: name, ...ffi.swap(text, more) };
    case 'listRecords':
      return { effect: name, under: text, limit: number };
    case 'git':
      return { effect: name, folder: text, arguments: ffi.texts(more, moreLength) };
    case 'print':
      return { effect: name, stream: flag ? 'error' : 'output', text };
    case 'input':
      return { effect: name, limit: number, until: flag ? 'line' : 'end' };
    case 'survey':
      return { effect: name, folder: text, names: ffi.texts(more, moreLength) };
    case 'part':
      return { effect: name, path: text, offset: ffi.float(more), length: number, links: flag ? 'refuse' : 'follow' };
    case 'readLink':
      return { effect: name, path: text };
    case 'append':
      return { effect: name, path: text, bytes: ffi.copied(more, moreLength), sync: flag ? 'durable' : 'lazy' };
    case 'symlink':
      return { effect: name, path: text, target: ffi.copied(more, moreLength) };
    case 'setMode':
      return { effect: name, path: text, isExecutable: flag !== 0, permissions: number <= 0o777 ? number : null };
    case 'scan':
      return { effect: name, folder: text, limit: number };
    case 'countTokens':
      return { effect: name, encoding: /** @type {any} */ (ffi.text(more, moreLength)), text, limit: number };
  }
}
