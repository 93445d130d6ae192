// Who is asked: the installed package, in this process, and its command line.

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { require } from '../ground.mjs';

// By require, so that the functions of `node:fs` are looked up at each call, which faults need.
const { openStore } = require('milepost');
const manifest = require.resolve('milepost/package.json');
const bin = path.join(path.dirname(manifest), require(manifest).bin.milepost);

const CALLS = {
  load: (store, { command, feature }) => {
    store.load(command, feature);
    return { text: store.loadText(command, feature) };
  },
  save: (store, { command, feature, text }) => store.saveText(command, text, feature),
  update_phase: (store, { command, feature, phase, patch }) =>
    store.updatePhase(command, phase, JSON.parse(patch), feature),
  complete: (store, { command, feature }) => store.complete(command, feature),
  resume_point: (store, { command, feature }) => store.resumePoint(command, feature),
  gate: (store, { command, feature }) => store.gate(command, feature),
  log: (store, { command, feature }) => store.log(command, feature),
  diff: (store, { command, feature }) => store.diff(command, feature),
  list: (store) => store.list(),
  latest: (store) => store.latest(),
  load_integrations: (store) => store.loadIntegrations(),
};

/** One operation: its value, or its error, and its warnings. */
export function ask(root, operation, fields) {
  const store = openStore({ root });
  try {
    return { value: CALLS[operation](store, fields), warnings: store.warnings };
  } catch (error) {
    return { error, warnings: store.warnings };
  }
}

/** One call of the command line, in the project. */
export function line(root, words, input) {
  const env = { ...process.env };
  delete env.GIT_ROOT;
  const how = { cwd: root, encoding: 'utf8', env, input };
  return spawnSync(process.execPath, [bin, '--root', root, ...words], how);
}
