// Bundles the package into a folder that `npm pack` takes as it is.
//
//   node build.mjs --tools FOLDER --wasm FOLDER --out FOLDER
//
// `--tools` has esbuild in its node_modules; `--wasm` has `library` and `cli`, each with
// milepost.js and milepost_bg.wasm.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { tools: { type: 'string' }, wasm: { type: 'string' }, out: { type: 'string' } },
});
const tools = folder('tools');
const wasm = folder('wasm');
const out = folder('out');
const source = import.meta.dirname;

/** @type {any} Its types are not installed where this file is checked. */
const esbuild = createRequire(path.join(tools, 'index.js'))('esbuild');

const FORMATS = /** @type {const} */ ([
  { format: 'esm', ending: 'mjs', types: 'd.mts' },
  { format: 'cjs', ending: 'cjs', types: 'd.cts' },
]);

/** The files of `dist`: what each is made of, and where it runs. */
const ENTRIES = [
  { name: 'core', host: 'none' },
  { name: 'token-counter', host: 'none' },
  { name: 'index', host: 'node' },
  { name: 'index.portable', from: 'index', host: 'none' },
  { name: 'checkpoint-manager', host: 'node' },
  { name: 'memory', host: 'none' },
  { name: 'operation', from: 'run-operation', host: 'none' },
];

/** Imported from its own file, so that the wasm and its state are there once. */
const SHARED = ['core', 'index'];

const TYPES = [
  'index',
  'token-counter',
  'checkpoint-manager',
  'memory',
  'operation',
  'schema',
  'store-operations',
  'wire',
];

/** @param {'tools' | 'wasm' | 'out'} option */
function folder(option) {
  const value = values[option];
  if (value === undefined) throw new Error(`build.mjs needs --${option} FOLDER`);
  return path.resolve(value);
}

/**
 * Puts the build's own parts in place of the `milepost:` modules.
 *
 * @param {'library' | 'cli'} build
 * @param {string} host
 * @param {string} wasmModule the code of `milepost:wasm`
 * @param {string} [largeModule] the code of `milepost:large`
 */
function parts(build, host, wasmModule, largeModule = '') {
  const files = {
    glue: path.join(wasm, build, 'milepost.js'),
    host: path.join(source, 'src/host', host === 'node' ? 'node/index.js' : `${host}.js`),
  };
  return {
    name: 'parts',
    /** @param {any} bundle */
    setup(bundle) {
      bundle.onResolve({ filter: /^milepost:(glue|host)$/ }, (/** @type {any} */ { path: name }) => ({
        path: name === 'milepost:glue' ? files.glue : files.host,
        sideEffects: false,
      }));
      bundle.onResolve({ filter: /^milepost:wasm$/ }, () => ({
        path: 'milepost:wasm',
        namespace: 'wasm',
      }));
      bundle.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({
        contents: wasmModule,
        resolveDir: source,
      }));
      bundle.onResolve({ filter: /^milepost:large$/ }, () => ({
        path: 'milepost:large',
        namespace: 'large',
        sideEffects: false,
      }));
      bundle.onLoad({ filter: /.*/, namespace: 'large' }, () => ({ contents: largeModule }));
    },
  };
}

/**
 * Leaves the imports of shared files as they are.
 *
 * @param {string} entry
 * @param {string} ending
 */
function shared(entry, ending) {
  const names = SHARED.filter((name) => name !== entry);
  return {
    name: 'shared',
    /** @param {any} bundle */
    setup(bundle) {
      const filter = new RegExp(`^\\./(${names.join('|')})\\.js$`);
      bundle.onResolve({ filter }, (/** @type {any} */ { path: name, kind }) =>
        kind === 'entry-point' ? undefined : { path: name.replace(/js$/, ending), external: true },
      );
    },
  };
}

const TEXT = fs.readFileSync(path.join(wasm, 'library/milepost_bg.wasm'), 'base64');

/**
 * The wasm as text inside the code: no file to find, whatever bundles or runs it. CommonJS loads
 * that text at the first call, from a module of its own: scanning it takes longer than all the rest
 * of loading the package. A bundler takes it along like any other module.
 */
const INLINE = {
  esm: `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64('${TEXT}');
  `,
  cjs: `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64(require('./wasm.cjs'));
  `,
};

/** The larger wasm of the command line, in a file of its own. */
const WASM_BESIDE = `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  export const bytes = () => readFileSync(join(__dirname, '../dist/command-line.wasm'));
`;

/** The module with the larger wasm, from a file of its own at the first call. */
const LARGE = {
  esm: `
    import { createRequire } from 'node:module';
    export const load = () => createRequire(import.meta.url)('./large.cjs');
  `,
  cjs: `
    export const load = () => require('./large.cjs');
  `,
};

/** For the command line, which has the larger wasm itself, and where there are no files. */
const NONE_LARGER = 'export const load = undefined;';

/** @param {object} options */
async function bundle(options) {
  await esbuild.build({
    bundle: true,
    logLevel: 'warning',
    platform: 'neutral',
    external: ['node:*'],
    target: 'node20',
    ...options,
  });
}

for (const { format, ending } of FORMATS) {
  for (const { name, from = name, host } of ENTRIES) {
    await bundle({
      entryPoints: [path.join(source, `src/${from}.js`)],
      outfile: path.join(out, `dist/${name}.${ending}`),
      format,
      external: ['node:*', './wasm.cjs', './large.cjs'],
      plugins: [
        parts('library', host, INLINE[format], host === 'node' ? LARGE[format] : NONE_LARGER),
        shared(name, ending),
      ],
    });
  }
}
await bundle({
  entryPoints: [path.join(source, 'src/large.js')],
  outfile: path.join(out, 'dist/large.cjs'),
  format: 'cjs',
  plugins: [parts('cli', 'none', WASM_BESIDE)],
});
await bundle({
  entryPoints: [path.join(source, 'src/bin.js')],
  outfile: path.join(out, 'bin/milepost.js'),
  banner: { js: '#!/usr/bin/env node' },
  format: 'cjs',
  plugins: [parts('cli', 'node', WASM_BESIDE, NONE_LARGER)],
});
fs.chmodSync(path.join(out, 'bin/milepost.js'), 0o755);

for (const name of TYPES) {
  const text = fs.readFileSync(path.join(source, `types/${name}.d.ts`), 'utf8');
  for (const { ending, types } of FORMATS) {
    const twin = text.replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.${ending}'`);
    fs.writeFileSync(path.join(out, `dist/${name}.${types}`), twin);
  }
}
fs.writeFileSync(path.join(out, 'dist/wasm.cjs'), `module.exports = '${TEXT}';\n`);
fs.copyFileSync(path.join(wasm, 'cli/milepost_bg.wasm'), path.join(out, 'dist/command-line.wasm'));
fs.copyFileSync(path.join(source, 'package.json'), path.join(out, 'package.json'));
