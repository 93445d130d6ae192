// The forms that the package's library has: on Node, Deno and Bun, for bundlers, and for pages.

import * as path from 'node:path';

import { LATER, MODULES, ON_DENO, bundle, external, named, parts } from './bundle.mjs';
import { out, source } from './paths.mjs';
import { IN_BUN, LIBRARY_HERE, wasmCompiled, wasmFile, wasmInlined, wasmOnDeno } from './wasm.mjs';

/** Loads the entry for exact tokens from a file beside the code; a bundle has it if it is imported. */
export const EXACT = `() => require('./exact-tokens.cjs')`;
export const EXACT_IN_BUN = `() => import.meta.require('./exact-tokens.cjs')`;
export const EXACT_ON_DENO = `() => required('./exact-tokens.cjs')`;

/**
 * Plain members: for exports of a module, esbuild would define each one twice, as an accessor. `Reflect` hides the mark of
 * a module from Node, which would give it to `import` as a name.
 */
const exports = (/** @type {string} */ list) => `
  import { ${list} } from './src/entry/index.js';
  module.exports = { ${list} };
  Reflect.defineProperty(module.exports, '__esModule', { value: true });
`;

/**
 * On Node and its like: what hooks call is one small file.
 *
 * @param {string[]} names what the main entry has
 */
export async function onNode(names) {
  await bundle({
    stdin: { contents: exports(names.join(', ')), resolveDir: source },
    outfile: path.join(out, 'dist/index.cjs'),
    format: 'cjs',
    ...named(names),
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
    minify: true,
    external: LATER,
    plugins: [
      parts('hook', 'node', {
        wasm: wasmFile('hook'),
        library: `export const library = () => require('./library.cjs');`,
      }),
    ],
  });
}

/**
 * And everything else is another one.
 *
 * @param {string[]} names that entries have of it
 */
export async function libraryOnNode(names) {
  await bundle({
    entryPoints: [path.join(source, 'src/entry/entries.js')],
    outfile: path.join(out, 'dist/library.cjs'),
    format: 'cjs',
    ...named(names),
    external: LATER,
    plugins: [
      // An error is of one class, regardless of the module that throws it.
      external('error.js', './index.cjs'),
      parts('library', 'node', {
        wasm: wasmFile('library'),
        library: LIBRARY_HERE,
        exact: EXACT,
        cli: `export const load = () => require('./cli.cjs');`,
        deferred: `export const load = () => require('./deferred.cjs');`,
      }),
    ],
  });
}

/**
 * On Deno: the same two files without a `node:` module or `require`, which take Deno longer to load than a
 * hook runs.
 */
export async function onDeno() {
  await bundle({
    entryPoints: [path.join(source, 'src/entry/index.js')],
    outfile: path.join(out, 'dist/index.deno.mjs'),
    ...ON_DENO,
    plugins: [
      parts('hook', 'deno', {
        wasm: wasmOnDeno('hook'),
        library: `
          import * as all from './library.deno.mjs';
          export const library = () => all;
        `,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/entry/entries.js')],
    outfile: path.join(out, 'dist/library.deno.mjs'),
    ...ON_DENO,
    plugins: [
      external('error.js', './index.deno.mjs'),
      parts('library', 'deno', {
        wasm: wasmOnDeno('library'),
        library: LIBRARY_HERE,
        exact: EXACT_ON_DENO,
        cli: `
          import { required } from './src/host/deno/required.js';
          export const load = () => required('./cli.cjs');
        `,
        deferred: `export const load = () => import('./deferred.deno.mjs');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/host/node-host.js')],
    outfile: path.join(out, 'dist/node-host.cjs'),
    format: 'cjs',
  });
}

/**
 * On Bun: the same two files as modules, because Bun takes a millisecond to pass from one kind to the
 * other. `require` has the same modules there. What answers later, and what counts exact tokens, is no part of a hook, and
 * is Node's.
 */
export async function onBun() {
  await bundle({
    entryPoints: [path.join(source, 'src/entry/index.js')],
    outfile: path.join(out, 'dist/index.bun.mjs'),
    ...MODULES,
    plugins: [
      parts('hook', 'node', {
        wasm: wasmFile('hook', IN_BUN),
        library: `export const library = () => import.meta.require('./library.bun.mjs');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/entry/entries.js')],
    outfile: path.join(out, 'dist/library.bun.mjs'),
    ...MODULES,
    plugins: [
      external('error.js', './index.bun.mjs'),
      parts('library', 'node', {
        wasm: wasmFile('library', IN_BUN),
        library: LIBRARY_HERE,
        exact: EXACT_IN_BUN,
        cli: `export const load = () => import.meta.require('./cli.cjs');`,
        deferred: `export const load = () => import.meta.require('./deferred.cjs');`,
      }),
    ],
  });
}

/** The parts of a separate module, so that no other bundle has it or is in two files for it. */
const NOT_HERE = 'export const load = undefined;';

/** Says what the module for workerd leaves out. */
const NO_DEFERRED = `
  export function load() {
    throw new Error('A host whose effects answer later cannot be used on workerd, which has no wasm for it: answer without a promise');
  }
`;

/**
 * For bundlers of programs for Node one module with all of it; for pages the same without files, and for workerd, which
 * takes wasm that was compiled before the program runs.
 */
export async function inOneModule() {
  const wasm = wasmInlined('library');
  const cli = `
    import { createRequire } from 'node:module';
    export const load = () => createRequire(import.meta.url)('./cli.cjs');
  `;
  await bundle({
    entryPoints: [path.join(source, 'src/entry/bundled.js')],
    outfile: path.join(out, 'dist/bundle.mjs'),
    format: 'esm',
    external: MODULES.external,
    plugins: [parts('library', 'node', { wasm, cli, library: LIBRARY_HERE, deferred: NOT_HERE })],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/entry/bundled.js')],
    outfile: path.join(out, 'dist/portable.mjs'),
    format: 'esm',
    external: MODULES.external,
    plugins: [parts('library', 'none', { wasm, library: LIBRARY_HERE, deferred: NOT_HERE })],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/entry/bundled.js')],
    outfile: path.join(out, 'dist/workerd.mjs'),
    format: 'esm',
    external: [...MODULES.external, './*.wasm'],
    plugins: [
      parts('library', 'none', { wasm: wasmCompiled('library'), library: LIBRARY_HERE, deferred: NO_DEFERRED }),
    ],
  });
}
