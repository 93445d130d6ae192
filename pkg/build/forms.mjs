// The forms that the package's library has: on Node, Deno and Bun, for bundlers, and for pages.

import * as path from 'node:path';

import { LATER, MODULES, ON_DENO, bundle, external, parts } from './bundle.mjs';
import { out, source } from './paths.mjs';
import { IN_BUN, INLINE, REST_HERE, wasmFile, wasmOnDeno } from './wasm.mjs';

export const FORMATS = /** @type {const} */ ([
  { format: 'esm', ending: 'mjs', types: 'd.mts' },
  { format: 'cjs', ending: 'cjs', types: 'd.cts' },
]);

/** Loads the entry with the vocabularies from a file beside the code; a bundle has it if it is imported. */
export const EXACT = `() => require('./exact-tokens-all.cjs')`;
export const EXACT_IN_BUN = `() => import.meta.require('./exact-tokens-all.cjs')`;
export const EXACT_ON_DENO = `() => required('./exact-tokens-all.cjs')`;

/** Plain members: for exports of a module, esbuild would define each one twice, as an accessor. */
const exports = (/** @type {string} */ list) => `
  import { ${list} } from './src/index.js';
  module.exports = { ${list} };
  Object.defineProperty(module.exports, '__esModule', { value: true });
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
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
    minify: true,
    external: LATER,
    plugins: [
      parts('hot', 'node', {
        wasm: wasmFile('hot'),
        rest: `export const rest = () => require('./rest.cjs');`,
      }),
    ],
  });
}

/** And everything else is another one. */
export async function restOnNode() {
  await bundle({
    entryPoints: [path.join(source, 'src/rest.js')],
    outfile: path.join(out, 'dist/rest.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [
      // An error is of one class, regardless of the module that throws it.
      external('error.js', './index.cjs'),
      parts('library', 'node', {
        wasm: wasmFile('library'),
        rest: REST_HERE,
        exact: EXACT,
        large: `export const load = () => require('./large.cjs');`,
        later: `export const load = () => require('./async-all.cjs');`,
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
    entryPoints: [path.join(source, 'src/index.js')],
    outfile: path.join(out, 'dist/index.deno.mjs'),
    ...ON_DENO,
    plugins: [
      parts('hot', 'deno', {
        wasm: wasmOnDeno('hot'),
        rest: `
          import * as all from './rest.deno.mjs';
          export const rest = () => all;
        `,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/rest.js')],
    outfile: path.join(out, 'dist/rest.deno.mjs'),
    ...ON_DENO,
    plugins: [
      external('error.js', './index.deno.mjs'),
      parts('library', 'deno', {
        wasm: wasmOnDeno('library'),
        rest: REST_HERE,
        exact: EXACT_ON_DENO,
        large: `
          import { required } from './src/host/deno/required.js';
          export const load = () => required('./large.cjs');
        `,
        later: `export const load = () => import('./async-all.deno.mjs');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/node-host.js')],
    outfile: path.join(out, 'dist/node-host.cjs'),
    format: 'cjs',
  });
}

/**
 * On Bun: the same two files as modules, because Bun takes a millisecond to pass from one kind to the
 * other. `require` has the same modules there.
 */
export async function onBun() {
  await bundle({
    entryPoints: [path.join(source, 'src/index.js')],
    outfile: path.join(out, 'dist/index.bun.mjs'),
    ...MODULES,
    plugins: [
      parts('hot', 'node', {
        wasm: wasmFile('hot', IN_BUN),
        rest: `export const rest = () => import.meta.require('./rest.bun.mjs');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/rest.js')],
    outfile: path.join(out, 'dist/rest.bun.mjs'),
    ...MODULES,
    plugins: [
      external('error.js', './index.bun.mjs'),
      parts('library', 'node', {
        wasm: wasmFile('library', IN_BUN),
        rest: REST_HERE,
        exact: EXACT_IN_BUN,
        large: `export const load = () => import.meta.require('./large.cjs');`,
        later: `export const load = () => import('./async-all.bun.mjs');`,
      }),
    ],
  });
}

/** The parts of a separate module, so that no other bundle has it or is in two files for it. */
const NOT_HERE = 'export const load = undefined;';

/** For bundlers of programs for Node one module with the wasm in it; for pages the same without files. */
export async function inOneModule() {
  await bundle({
    entryPoints: [path.join(source, 'src/whole.js')],
    outfile: path.join(out, 'dist/whole.node.mjs'),
    format: 'esm',
    external: MODULES.external,
    plugins: [
      parts('library', 'node', {
        wasm: INLINE.esm('library'),
        rest: REST_HERE,
        large: `
          import { createRequire } from 'node:module';
          export const load = () => createRequire(import.meta.url)('./large.cjs');
        `,
        later: NOT_HERE,
      }),
    ],
  });
  for (const { format, ending } of FORMATS) {
    await bundle({
      entryPoints: [path.join(source, 'src/whole.js')],
      outfile: path.join(out, `dist/whole.${ending}`),
      format,
      external: MODULES.external,
      plugins: [
        parts('library', 'none', {
          wasm: INLINE[format]('library'),
          rest: REST_HERE,
          later: NOT_HERE,
        }),
      ],
    });
  }
}
