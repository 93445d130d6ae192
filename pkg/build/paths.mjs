// The paths that the build reads, and those that it writes.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    tools: { type: 'string' },
    wasm: { type: 'string' },
    vocabularies: { type: 'string' },
    out: { type: 'string' },
    'exact-tokens': { type: 'string' },
    plugin: { type: 'string' },
    viewer: { type: 'string' },
    jsr: { type: 'string' },
    builds: { type: 'string' },
    part: { type: 'string' },
    bundled: { type: 'string' },
  },
});

/** Every wasm that a bundle may have, by the names of the table of builds. */
const BUILDS = (values.builds ?? '').split(',');

const chosen = new Set(values.part === undefined ? BUILDS : values.part.split(','));
for (const name of chosen) if (!BUILDS.includes(name)) throw new Error(`--part: expected some of ${BUILDS}, got ${name}`);

/**
 * Returns whether parts that need all of these builds are bundled.
 *
 * @param {string[]} builds
 */
export function isChosen(builds) {
  for (const name of builds) if (!BUILDS.includes(name)) throw new Error(`no build is named ${name}, but ${BUILDS}`);
  return builds.every((name) => chosen.has(name));
}

/** True if all of the package is bundled. */
export const isWhole = isChosen(BUILDS);

/** @param {'tools' | 'wasm' | 'vocabularies' | 'out' | 'exact-tokens' | 'plugin' | 'viewer' | 'jsr'} option */
function folder(option) {
  const value = values[option];
  if (value === undefined) throw new Error(`build.mjs needs --${option} FOLDER`);
  return path.resolve(value);
}

export const tools = folder('tools');
export const wasm = folder('wasm');
export const vocabularies = folder('vocabularies');
export const out = folder('out');
/** The folder of the package of exact tokens, where that is bundled. */
export const exactTokens = isChosen(['exact-tokens']) ? folder('exact-tokens') : '';
/** A part of the package is no plugin and no package of JSR, and may have no page. */
export const plugin = isWhole ? folder('plugin') : '';
export const jsr = isWhole ? folder('jsr') : '';
export const viewer = isChosen(['viewer']) ? folder('viewer') : '';
/** The file for the list of what is bundled of others, if it is asked for. */
export const list = values.bundled;
export const source = path.dirname(import.meta.dirname);

/**
 * The text of a module in CommonJS that has these names of another one.
 *
 * @param {string[]} names
 * @param {string} file without its ending
 */
export function renamed(names, file) {
  const list = names.join(', ');
  return `const { ${list} } = require('./${file}.cjs');\nmodule.exports = { ${list} };\n`;
}

/**
 * @param {string} name
 * @param {string} text
 */
export function write(name, text) {
  fs.writeFileSync(path.join(out, 'dist', name), text);
}
