// One bundle: what is put into it, and what is left outside.

import { createRequire } from 'node:module';
import * as path from 'node:path';

import { source, tools, wasm } from './paths.mjs';
import { NO_LARGE } from './wasm.mjs';

/** @type {any} Its types are not installed where this file is checked. */
const esbuild = createRequire(path.join(tools, 'index.js'))('esbuild');

/** The adapter of each host: what hooks ask for, and all that it can do. */
const HOSTS = {
  hot: { node: 'node/index.js', deno: 'deno/index.js', none: 'none.js' },
  whole: { node: 'node/whole.js', deno: 'deno/index.js', none: 'none.js' },
};

/**
 * Puts the build's own parts in place of the `milepost:` modules.
 *
 * @param {string} build the wasm
 * @param {'node' | 'deno' | 'none'} host
 * `exact` is an expression: it loads the entry with the vocabularies, where that is a file beside the code.
 *
 * @param {{wasm: string, rest?: string, large?: string, later?: string, exact?: string, database?: string, hosted?: string, event?: string, vocabulary?: string}} code of these modules
 */
export function parts(build, host, { wasm: bytes, large = NO_LARGE, exact = 'null', ...code }) {
  const { rest = '', later = '', database = '', hosted = '', event = '', vocabulary = '' } = code;
  const files = {
    glue: path.join(wasm, build, 'milepost.js'),
  };
  const isHot = build === 'hot' || build === 'hook';
  const adapter = `./src/host/${HOSTS[isHot ? 'hot' : 'whole'][host]}`;
  // Requests of hooks need no vocabulary.
  const hosting = isHot
    ? `export * from '${adapter}';`
    : `
      import { perform as performed } from '${adapter}';
      import { counting } from './src/host/tokens.js';
      ${host === 'deno' ? `import { required } from './src/host/deno/required.js';` : ''}
      export { absolute, place } from '${adapter}';
      export const perform = /* @__PURE__ */ counting(performed, ${exact});
    `;
  const modules = { host: hosting, wasm: bytes, rest, large, async: later, database, hosted, event, vocabulary };
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
 * Leaves the import of a source as one of a file that is there already.
 *
 * @param {string} file below `src`
 * @param {string} as
 */
export function external(file, as) {
  return {
    name: 'external',
    /** @param {any} bundle */
    setup(bundle) {
      const filter = new RegExp(`^\\.{1,2}/${file}$`);
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
    logLevel: 'warning',
    platform: 'neutral',
    // The function that the glue calls for each effect has no definition until here.
    inject: [path.join(source, 'src/perform.js')],
    external: ['node:*'],
    target: 'node20',
    plugins: options.format === 'cjs' ? [BUILT_IN, ...plugins] : plugins,
    // Bundled packages of others are there.
    nodePaths: [path.join(tools, 'node_modules')],
    ...options,
  });
  for (const input of Object.keys(metafile.inputs)) bundled.add(path.resolve(input));
}

/** Every file that a bundle has a part of. @type {Set<string>} */
export const bundled = new Set();

/** Files that are there at the time of a call. */
export const LATER = ['node:*', './*.cjs'];

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
