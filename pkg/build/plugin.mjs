// The plugin for Claude Code: what `pkg/plugin` has, and of the package what its hooks, its server and its command line run.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { bundle, parts } from './bundle.mjs';
import { writeLicences } from './licences.mjs';
import { exactTokens, out, plugin, source } from './paths.mjs';

const NAME = 'milepost';

/** The programs that the plugin starts. */
const PROGRAMS = ['bin/hook.js', 'bin/milepost.js'];

/**
 * The files of the package of exact tokens, for a project with a budget in them: its code is in the place of the entry that
 * looks for the package.
 */
const EXACT_TOKENS = {
  'dist/index.cjs': 'dist/exact-tokens.cjs',
  ...Object.fromEntries(
    ['inlined/exact-tokens.mjs', 'o200k.vocabulary.mjs', 'cl100k.vocabulary.mjs'].map((file) => [`dist/${file}`, `dist/${file}`]),
  ),
};

/** A file of the package that another one names. */
const NAMED = /['"`]((?:\.\.?)?\/[\w./-]+\.(?:js|cjs|mjs|wasm))['"`]/g;

/** After the package is built. */
export async function claudePlugin() {
  fs.cpSync(path.join(source, 'plugin'), plugin, { recursive: true });
  await bundle({
    entryPoints: [path.join(source, 'src/program/plugin-hook.js')],
    outfile: path.join(plugin, 'hooks/hook.js'),
    format: 'cjs',
    minify: true,
    external: ['node:*', '../bin/*.js'],
    plugins: [
      parts('agent-hook', 'node', { wasm: '', library: `export const library = () => require('../bin/hook.js');` }),
    ],
  });
  for (const [file, to] of Object.entries(EXACT_TOKENS)) copy(path.join(exactTokens, file), to);
  for (const file of neededBy(PROGRAMS)) copy(path.join(out, file), file);
  writeLicences(plugin, { ranks: true });
  fs.chmodSync(path.join(plugin, 'bin', NAME), 0o755);
  writeManifests();
}

/**
 * @param {string} file
 * @param {string} to below the plugin's folder
 */
function copy(file, to) {
  const copied = path.join(plugin, to);
  fs.mkdirSync(path.dirname(copied), { recursive: true });
  fs.copyFileSync(file, copied);
}

/**
 * These files of the package and all that they load, whenever they do.
 *
 * @param {string[]} programs
 */
function neededBy(programs) {
  const needed = new Set(programs);
  for (const file of needed) {
    if (/\.(wasm|mjs)$/.test(file)) continue;
    const text = fs.readFileSync(path.join(out, file), 'utf8');
    for (const [, named] of text.matchAll(NAMED)) {
      // A path that is put behind the folder of the file begins with a slash. Other modules are for bundlers.
      if (named.endsWith('.mjs') && !named.startsWith('/')) continue;
      const at = path.posix.join(path.posix.dirname(file), named.replace(/^\//, './'));
      if (isNeeded(at)) needed.add(at);
    }
  }
  return needed;
}

/**
 * Returns whether the plugin takes a path for a file of the package. What it has in the place of one stays.
 *
 * @param {string} file
 */
function isNeeded(file) {
  if (file.startsWith('..') || fs.existsSync(path.join(plugin, file))) return false;
  return fs.existsSync(path.join(out, file));
}

/** Writes the manifests, which name the plugin and its version. */
function writeManifests() {
  const { version, description, license } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8'));
  const about = { name: NAME, version, description, license };
  const author = { name: 'The Milepost authors' };
  const keywords = ['checkpoint', 'resume', 'handoff', 'context', 'memory'];
  writeJson('.claude-plugin/plugin.json', { ...about, author, keywords });
  // By this one the folder can be installed as it is.
  const listed = { name: NAME, source: './', description };
  writeJson('.claude-plugin/marketplace.json', { name: NAME, owner: author, description, plugins: [listed] });
  // Regardless of the folder's place, its code is in CommonJS.
  writeJson('package.json', { ...about, private: true, type: 'commonjs' });
}

/**
 * @param {string} name
 * @param {object} value
 */
function writeJson(name, value) {
  const file = path.join(plugin, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
