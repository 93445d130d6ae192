// The types of the package. They are those of CommonJS, which Node runs for `import` too; a module that a bundler or another
// host takes has the same names.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { out, source } from './paths.mjs';

/** The entries, and the types that two of them have. */
const ENTRIES = [
  ...['index', 'token-counter', 'checkpoint-manager', 'memory', 'operation', 'snapshots', 'sessions', 'tasks'],
  ...['exact-tokens', 'postgres', 'langgraph', 'session-store'],
];

/** The entry that extends a class of another package, of which each kind of module has its own types. */
const OF_BOTH_KINDS = 'langgraph';

/** The entry whose name is the package's; publint holds a module behind that to types of a module. */
const MAIN = 'index';

/** The files of types that go into that of an entry, which has all of their names. @type {Record<string, string>} */
const TAKEN_BY = {
  effect: 'operation',
  schema: 'index',
  'session-operations': 'snapshots',
  'store-operations': 'index',
  'task-checkpoints': 'tasks',
  wire: 'operation',
};

export function writeTypes() {
  for (const entry of ENTRIES) writeTypesOf(entry, path.join(out, 'dist', entry));
}

/**
 * Writes the types of an entry.
 *
 * @param {string} entry
 * @param {string} file without its ending
 */
export function writeTypesOf(entry, file) {
  const text = withTaken(entry).replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.cjs'`);
  fs.writeFileSync(`${file}.d.cts`, text);
  if (entry === OF_BOTH_KINDS) fs.writeFileSync(`${file}.d.mts`, text);
  if (path.basename(file) === MAIN) fs.writeFileSync(`${file}.d.mts`, `export * from './${MAIN}.cjs';\n`);
}

/** The import of a type of the entry for databases, and what stands in its place where it is left out. */
const OF_POSTGRES = /^import type \{ (\w+) \} from '\.\/postgres\.js';$/m;
const NO_POSTGRES = '/** A database is there in the npm package alone. */\ntype $1 = never;';

/**
 * Writes the types of an entry of a package that has modules alone, and no database.
 *
 * @param {string} entry
 * @param {string} file without its ending
 * @returns {string} the name of the file with the types
 */
export function writeTypesOfModule(entry, file) {
  const text = withTaken(entry).replace(OF_POSTGRES, NO_POSTGRES);
  fs.writeFileSync(`${file}.d.mts`, text.replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.mjs'`));
  return `${path.basename(file)}.d.mts`;
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
      const named = `export type { ${namesIn(read(taken)).join(', ')} } from './${by}.js';`;
      text = text.replace(`export * from './${taken}.js';`, named);
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

/**
 * The names of the types in a text.
 *
 * @param {string} text
 */
function namesIn(text) {
  return [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
}

/** @param {string} name */
function read(name) {
  return fs.readFileSync(path.join(source, `types/${name}.d.ts`), 'utf8');
}
