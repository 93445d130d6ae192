// Where the build finds what it needs, and where the package goes.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    tools: { type: 'string' },
    wasm: { type: 'string' },
    vocabularies: { type: 'string' },
    out: { type: 'string' },
    plugin: { type: 'string' },
    viewer: { type: 'string' },
  },
});

/** @param {'tools' | 'wasm' | 'vocabularies' | 'out' | 'plugin' | 'viewer'} option */
function folder(option) {
  const value = values[option];
  if (value === undefined) throw new Error(`build.mjs needs --${option} FOLDER`);
  return path.resolve(value);
}

export const tools = folder('tools');
export const wasm = folder('wasm');
export const vocabularies = folder('vocabularies');
export const out = folder('out');
export const plugin = folder('plugin');
export const viewer = folder('viewer');
export const source = path.dirname(import.meta.dirname);

/**
 * @param {string} name
 * @param {string} text
 */
export function write(name, text) {
  fs.writeFileSync(path.join(out, 'dist', name), text);
}
