// One bundle: what is put into it, and what is left outside.

import { createRequire } from 'node:module';
import * as path from 'node:path';

import { source, tools, wasm } from './paths.mjs';
import { DRIVER_IMPORTED } from './wasm.mjs';

/** @type {any} Its types are not installed where this file is checked. */
const esbuild = createRequire(path.join(tools, 'index.js'))('esbuild');

/** No such operations: there are no files, or it is the command line, which has that wasm itself. */
const NO_CLI = 'export const load = undefined;';

/** The adapter of each host: what hooks ask for, and all that it can do. */
const HOSTS = {
  hooks: { node: 'node/index.js', deno: 'deno/index.js', none: 'none.js' },
  library: { node: 'node/whole.js', deno: 'deno/index.js', none: 'none.js' },
};

/**
 * Puts the build's own parts in place of the `milepost:` modules.
 *
 * @param {string} build the wasm
 * @param {'node' | 'deno' | 'none'} host
 * `exact` is an expression: it loads the entry with the vocabularies, where that is a file beside the code.
 *
 * @param {{wasm: string, library?: string, cli?: string, deferred?: string, exact?: string, database?: string, driver?: string, hosted?: string, event?: string, vocabulary?: string, installed?: string}} code of these modules
 */
export function parts(build, host, { wasm: bytes, cli = NO_CLI, exact = 'null', driver = DRIVER_IMPORTED, ...code }) {
  const { library = '', deferred = '', database = '', hosted = '', event = '', vocabulary = '', installed = '' } = code;
  const files = {
    glue: path.join(wasm, build, 'milepost.js'),
  };
  const isOfHooks = build === 'hook' || build === 'agent-hook';
  const adapter = `./src/host/${HOSTS[isOfHooks ? 'hooks' : 'library'][host]}`;
  // Requests of hooks need no vocabulary.
  const hosting = isOfHooks
    ? `export * from '${adapter}';`
    : `
      import { perform as performed } from '${adapter}';
      import { counting } from './src/host/tokens.js';
      ${host === 'deno' ? `import { required } from './src/host/deno/required.js';` : ''}
      export { absolute, place } from '${adapter}';
      export const perform = /* @__PURE__ */ counting(performed, ${exact});
    `;
  const modules = { host: hosting, wasm: bytes, library, cli, deferred, database, driver, hosted, event, vocabulary, installed };
  return {
    name: 'parts',
    /** @param {any} bundle */
    setup(bundle) {
      for (const [name, file] of Object.entries(files)) {
        const filter = new RegExp(`^milepost:${name}$`);
        bundle.onResolve({ filter }, () => ({ path: file, sideEffects: false }));
      }
      for (const [name, contents] of Object.entries(modules)) {
        const filter = new RegExp(`^milepost:${name}$`);
        const found = { path: name, namespace: 'part', sideEffects: false };
        bundle.onResolve({ filter }, () => found);
        bundle.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'part' }, () => ({
          contents,
          resolveDir: source,
        }));
      }
    },
  };
}

/**
 * Leaves the import of a source, or of a part of the build, as one of a file that is there already.
 *
 * @param {string} file its name, or the name of the part
 * @param {string} as
 */
export function external(file, as) {
  return {
    name: 'external',
    /** @param {any} bundle */
    setup(bundle) {
      const filter = new RegExp(`^(\\.{1,2}/(.*/)?)?${file}$`);
      bundle.onResolve({ filter }, () => ({ path: as, external: true }));
    },
  };
}

/** Modules of Node as they are: a bundle in CommonJS would copy each name of each. */
const BUILT_IN = {
  name: 'built-in',
  /** @param {any} bundle */
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, (/** @type {any} */ { path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'built-in' },
    );
    bundle.onLoad({ filter: /^/, namespace: 'built-in' }, (/** @type {any} */ { path }) => ({
      contents: `const it = require('${path}');\nexport default it;\n`,
    }));
  },
};

/** @param {{format?: string, plugins?: object[], [option: string]: unknown}} options */
export async function bundle({ plugins = [], ...options }) {
  const { metafile } = await esbuild.build({
    bundle: true,
    metafile: true,
    // Names of modules are in some bundles, from this folder on.
    absWorkingDir: source,
    logLevel: 'warning',
    platform: 'neutral',
    // The function that the glue calls for each effect has no definition until here.
    inject: [path.join(source, 'src/wasm/perform.js')],
    external: ['node:*'],
    target: 'node20',
    // Names stay, for stacks in reports.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: options.format === 'cjs' ? [BUILT_IN, ...plugins] : plugins,
    // Bundled packages of others are there.
    nodePaths: [path.join(tools, 'node_modules')],
    ...options,
  });
  for (const input of Object.keys(metafile.inputs)) bundled.add(path.resolve(source, input));
}

/**
 * The names of a file in CommonJS, as the loader of Node finds them for `import`: it reads the text and runs none of it.
 *
 * @param {string[]} names
 */
export function named(names) {
  return { footer: { js: `0&&(module.exports={${names.join(',')}});` } };
}

/** Every file that a bundle has a part of. @type {Set<string>} */
export const bundled = new Set();

/** Files that are there at the time of a call. */
export const LATER = ['node:*', './*.cjs', './inlined/*'];

export const MODULES = {
  format: 'esm',
  minify: true,
  external: [...LATER, './*.mjs'],
};

export const ON_DENO = {
  ...MODULES,
  // To name it is to load it.
  define: { Buffer: 'undefined' },
};
