// Shared parts of the tests that hold another command line to the one on Node.

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { bin } from './fixture.mjs';

/** @returns {{code: number | null, out: string, error: string}} null where it was killed */
export function finish(run) {
  // One that ends without reading its input leaves no reader.
  if (run.error !== undefined && run.error.code !== 'EPIPE') throw run.error;
  return { code: run.status, out: run.stdout ?? '', error: run.stderr };
}

/** @param {{input?: string, stdio?: any[]}} [how] */
export function onNode(cwd, words, how = {}) {
  return finish(spawnSync(process.execPath, [bin, ...words], { cwd, encoding: 'utf8', ...how }));
}

/** The stored checkpoint of a command. */
export function stored(root, command) {
  const file = path.join(root, '.claude/state', `${command}-checkpoint.json`);
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** An output without the parts that differ between any two runs: times, and what is hashed of them. */
export function steady(text) {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{32}\.[0-9a-f]{32}/g, 'SEAL');
}

/** Every file below a folder, by its path; names that carry a hash are counted as one. Nothing is opened that may wait for a writer. */
export function files(root) {
  const found = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file);
    if (name.split(path.sep)[0] === '.git' || entry.isDirectory()) continue;
    const shown = name.replaceAll(/[0-9a-f]{8,}/g, 'HASH');
    (found[shown] ??= []).push(text(entry, file));
  }
  for (const texts of Object.values(found)) texts.sort();
  return found;
}

function text(entry, file) {
  if (entry.isSymbolicLink()) return 'a link';
  return entry.isFile() ? steady(fs.readFileSync(file, 'utf8')) : 'a special file';
}
