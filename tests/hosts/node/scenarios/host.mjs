// The host that is asked: the installed package, in this process, and its command line.

import { spawnSync } from 'node:child_process';
import { bin, require } from '../fixture.mjs';

// By require, so that the functions of `node:fs` are looked up at each call, which faults need.
const { openStore } = require('milepost');

/** Each with the members of its request; a document is given as an object, or as text. */
const CALLS = {
  load: (store, { command, feature, revision }) => {
    // Two ways in: the second one is exact.
    store.load(command, feature, { revision });
    const text = store.loadText(command, feature, { revision });
    return text === null ? null : { text, revision: JSON.parse(text).revision };
  },
  save: (store, { command, feature, document, text }) =>
    text === undefined
      ? store.save(command, document, feature)
      : store.saveText(command, text, feature),
  update_phase: (store, { command, feature, phase, patch, patch_text }) =>
    store.updatePhase(command, phase, patch ?? JSON.parse(patch_text), feature),
  begin: (store, { command, feature, phases, task }) => store.begin(command, feature, { phases, task }),
  complete: (store, { command, feature, force, keep_open: keepOpen }) =>
    store.complete(command, feature, { force, keepOpen }),
  resume_point: (store, { command, feature }) => store.resumePoint(command, feature),
  gate: (store, { command, feature, open, close }) =>
    store.gate(command, feature, { open, close }),
  log: (store, { command, feature }) => store.log(command, feature),
  diff: (store, { command, feature, from, to }) => store.diff(command, feature, { from, to }),
  undo: (store, { command, feature, to, revision, seal }) =>
    store.undo(command, feature, { to, revision, seal }),
  redo: (store, { command, feature, revision, seal }) =>
    store.redo(command, feature, { revision, seal }),
  remove: (store, { command, feature }) => store.remove(command, feature),
  recover: (store, { command, feature, to }) => store.recover(command, feature, { to }),
  prune: (store, { command, feature, revisions, days }) =>
    store.prune(command, feature, { revisions, days }),
  list: (store) => store.list(),
  latest: (store) => store.latest(),
  load_integrations: (store) => store.loadIntegrations(),
};

/** Asks a store, as this opens it, for one operation: its value, or its error, and its warnings. */
export const askBy = (openStore) => (root, operation, fields) => {
  const store = openStore({ root });
  try {
    return { value: CALLS[operation](store, fields), warnings: store.warnings };
  } catch (error) {
    return { error, warnings: store.warnings };
  }
};

export const ask = askBy(openStore);

/** One call of the command line, in the project. */
export function line(root, words, input) {
  const how = { cwd: root, encoding: 'utf8', input };
  return spawnSync(process.execPath, [bin, '--root', root, ...words], how);
}
