// The types of the package, for both kinds of module.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { out, source } from './paths.mjs';

const FORMATS = [
  { ending: 'mjs', types: 'd.mts' },
  { ending: 'cjs', types: 'd.cts' },
];

/** The entries, and the types that two of them have. */
const ENTRIES = [
  ...['index', 'token-counter', 'checkpoint-manager', 'memory', 'operation', 'snapshots', 'sessions', 'tasks'],
  ...['exact-tokens', 'postgres', 'langgraph', 'session-operations'],
];

/** The files of types that go into that of an entry, which has all of their names. @type {Record<string, string>} */
const TAKEN_BY = {
  schema: 'index',
  'store-operations': 'index',
  'task-checkpoints': 'tasks',
  wire: 'operation',
};

export function writeTypes() {
  for (const entry of ENTRIES) {
    const text = withTaken(entry);
    for (const { ending, types } of FORMATS) {
      const twin = text.replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.${ending}'`);
      fs.writeFileSync(path.join(out, `dist/${entry}.${types}`), twin);
    }
  }
}

/**
 * The types of an entry, with those that it takes in the places where it has them from.
 *
 * @param {string} entry
 */
function withTaken(entry) {
  let text = read(entry);
  for (const [taken, by] of Object.entries(TAKEN_BY)) {
    if (by !== entry) {
      text = text.replaceAll(`from './${taken}.js'`, `from './${by}.js'`);
      continue;
    }
    const all = `export * from './${taken}.js';\n`;
    const own = read(taken);
    if (!text.includes(all)) throw new Error(`${entry}.d.ts does not have all of ${taken}.d.ts`);
    if (/^(import|export .* from) /m.test(own)) throw new Error(`${taken}.d.ts takes types of another file`);
    // As a function: in a text, a dollar sign would mean something.
    text = text.replace(all, () => own).replaceAll(new RegExp(`^import type \\{[^}]*\\} from './${taken}\\.js';\n`, 'gm'), '');
  }
  return text;
}

/** @param {string} name */
function read(name) {
  return fs.readFileSync(path.join(source, `types/${name}.d.ts`), 'utf8');
}
