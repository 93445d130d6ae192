// The forms that the package's code has: on Node, Deno and Bun, for bundlers, and for pages.

import * as path from 'node:path';

import { LATER, MODULES, ON_DENO, bundle, external, parts } from './bundle.mjs';
import { out, source } from './place.mjs';
import {
  IN_BUN,
  INLINE,
  REST_HERE,
  VOCABULARY_IMPORTED,
  VOCABULARY_ON_DENO,
  vocabularyFile,
  wasmBeside,
  wasmFile,
  capabilityWasmOnDeno,
  wasmOnDeno,
} from './wasm.mjs';

export const FORMATS = /** @type {const} */ ([
  { format: 'esm', ending: 'mjs', types: 'd.mts' },
  { format: 'cjs', ending: 'cjs', types: 'd.cts' },
]);

/** Loads the entry with the vocabularies from a file beside the code; a bundle has it if it is imported. */
const EXACT = `() => require('./exact-tokens-all.cjs')`;
const EXACT_IN_BUN = `() => import.meta.require('./exact-tokens-all.cjs')`;
const EXACT_ON_DENO = `() => required('./exact-tokens-all.cjs')`;

/** The module that reaches a database, loaded where one is named. */
const DATABASE = `export const load = () => require('./command-line-database.cjs');`;

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

/** On Node: the operations that only the command line's wasm has, and the command line. */
export async function commandLine() {
  await bundle({
    entryPoints: [path.join(source, 'src/large.js')],
    outfile: path.join(out, 'dist/large.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [parts('cli', 'node', { wasm: wasmBeside(''), exact: EXACT })],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/bin.js')],
    outfile: path.join(out, 'bin/milepost.js'),
    banner: { js: '#!/usr/bin/env node' },
    format: 'cjs',
    external: ['node:*', '../dist/*.cjs', './hook.js'],
    plugins: [
      parts('cli', 'node', {
        wasm: wasmBeside('/../dist'),
        exact: `() => require('../dist/exact-tokens-all.cjs')`,
        database: `export const load = () => require('../dist/command-line-database.cjs');`,
        hosted: `
          export const hosted = {
            mcp: () => require('../dist/mcp.cjs'),
            notify: () => require('../dist/notify.cjs'),
            view: () => require('../dist/view.cjs'),
            export: () => require('../dist/export.cjs'),
            hooks: () => require('../dist/compile.cjs'),
            doctor: () => require('../dist/try-hooks.cjs'),
          };
          export const startHook = () => require('./hook.js');
        `,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/compile.js')],
    outfile: path.join(out, 'dist/compile.cjs'),
    format: 'cjs',
  });
  await bundle({
    entryPoints: [path.join(source, 'src/try-hooks.js')],
    outfile: path.join(out, 'dist/try-hooks.cjs'),
    format: 'cjs',
    minify: true,
    external: ['node:*'],
  });
}

/** The module that connects the command line to a database, loaded where one is named. */
export async function database() {
  await bundle({
    entryPoints: [path.join(source, 'src/database/asking.js')],
    outfile: path.join(out, 'dist/command-line-database.cjs'),
    format: 'cjs',
  });
  await bundle({
    entryPoints: [path.join(source, 'src/database/answering.js')],
    outfile: path.join(out, 'dist/command-line-database-thread.cjs'),
    format: 'cjs',
    external: [...LATER, 'pg'],
    plugins: [external('async.js', './async-all.cjs'), parts('async', 'node', { wasm: '' })],
  });
}

/** The server for agents, with the SDK in it; it runs operations by the wasm of the module that loads it. */
export async function mcp() {
  await bundle({
    entryPoints: [path.join(source, 'src/mcp.js')],
    outfile: path.join(out, 'dist/mcp.cjs'),
    format: 'cjs',
    minify: true,
    platform: 'node',
    plugins: [
      // The SDK's validator of JSON Schema is for what a server asks its client, and is larger than all the rest.
      module('@modelcontextprotocol/server/_shims', `
        export { default as process } from 'node:process';
        export const DefaultJsonSchemaValidator = undefined;
      `),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/mcp/thread.js')],
    outfile: path.join(out, 'dist/mcp-thread.cjs'),
    format: 'cjs',
    minify: true,
    external: LATER,
    plugins: [parts('cli', 'node', { wasm: wasmBeside(''), exact: EXACT, database: DATABASE })],
  });
}

/** The sender of notifications, with the packages of its receivers in it; it runs operations as the server does. */
export async function notify() {
  await bundle({
    entryPoints: [path.join(source, 'src/notify.js')],
    outfile: path.join(out, 'dist/notify.cjs'),
    format: 'cjs',
    minify: true,
    platform: 'node',
  });
}

/**
 * The parts that show a project: the server with the thread that reads for it, and the export. The page itself is
 * beside them, in `viewer`.
 */
export async function viewing() {
  for (const name of ['view', 'export']) {
    await bundle({
      entryPoints: [path.join(source, `src/${name}.js`)],
      outfile: path.join(out, `dist/${name}.cjs`),
      format: 'cjs',
      minify: true,
      platform: 'node',
    });
  }
  await bundle({
    entryPoints: [path.join(source, 'src/view/thread.js')],
    outfile: path.join(out, 'dist/view-thread.cjs'),
    format: 'cjs',
    minify: true,
    external: LATER,
    plugins: [parts('cli', 'node', { wasm: wasmBeside(''), database: DATABASE })],
  });
}

/**
 * Puts a text in place of a module.
 *
 * @param {string} name
 * @param {string} contents
 */
function module(name, contents) {
  return {
    name: 'module',
    /** @param {any} bundle */
    setup(bundle) {
      const filter = new RegExp(`^${name}$`);
      bundle.onResolve({ filter }, () => ({ path: name, namespace: 'module' }));
      bundle.onLoad({ filter: /^/, namespace: 'module' }, () => ({ contents, resolveDir: source }));
    },
  };
}

/**
 * The hook of coding agents, on Node: the part that selects the events that mean something, then, like the parts that
 * hooks load, small and with a wasm that has its one operation, the part that takes them, and the rest.
 */
export async function hook() {
  await bundle({
    entryPoints: [path.join(source, 'src/hook.js')],
    outfile: path.join(out, 'bin/hook.js'),
    format: 'cjs',
    minify: true,
    external: ['node:*', '../dist/*.cjs'],
    plugins: [
      parts('hook', 'node', {
        wasm: '',
        event: `
          export const loadEvent = () => require('../dist/hook-event.cjs');
          export const loadPrecedence = () => require('../dist/hook-precedence.cjs');
          export const loadStored = () => require('../dist/hook-stored.cjs');
          export const loadWhole = () => require('../dist/hook-whole.cjs');
        `,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/precedence.js')],
    outfile: path.join(out, 'dist/hook-precedence.cjs'),
    format: 'cjs',
    minify: true,
    external: ['node:*'],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/hook-event.js')],
    outfile: path.join(out, 'dist/hook-event.cjs'),
    format: 'cjs',
    minify: true,
    external: LATER,
    plugins: [
      parts('hook', 'node', {
        wasm: wasmBeside('', 'hook'),
        rest: `export const rest = () => require('./hook-whole.cjs');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/hook-stored.js')],
    outfile: path.join(out, 'dist/hook-stored.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [parts('sessions', 'node', { wasm: wasmFile('sessions'), exact: EXACT, database: DATABASE })],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/hook-whole.js')],
    outfile: path.join(out, 'dist/hook-whole.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [parts('sessions', 'node', { wasm: wasmFile('sessions'), exact: EXACT })],
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

/**
 * A capability: an entry with a wasm of its own, which has its operations alone, in all of these forms. Each takes the
 * class of errors from the file that it goes with.
 *
 * @param {string} name of its source and its files
 * @param {string} [build] its wasm
 */
export async function capability(name, build = name) {
  for (const form of formsOf(build)) await capabilityAs(form, name, build);
}

/**
 * The entry that counts tokens: a capability with vocabularies. In one module it has a class of errors of its own,
 * because a page that counts would have to download all of the library for that of the others.
 *
 * @param {string} name
 */
export async function exactTokens(name) {
  for (const form of formsOf(name)) {
    const isWhole = form.to.startsWith('whole');
    const whole = { ...form, beside: undefined, options: { ...form.options, minify: true } };
    await capabilityAs(isWhole ? whole : form, name, name);
  }
}

/**
 * @typedef {object} Form
 * @property {string} to the end of its name
 * @property {string} [beside] the file that has the class of errors
 * @property {'node' | 'deno' | 'none'} host
 * @property {string} wasm the module that has it
 * @property {string} [exact] what loads the entry with the vocabularies
 * @property {string} vocabulary the module that has the vocabularies
 * @property {object} options for esbuild
 */

/**
 * @param {string} build
 * @returns {Form[]}
 */
function formsOf(build) {
  const withFiles = { format: 'cjs', external: MODULES.external };
  const inlined = (/** @type {'esm' | 'cjs'} */ format) => ({ format, external: MODULES.external });
  return [
    {
      to: 'all.cjs',
      beside: 'index.cjs',
      host: 'node',
      wasm: wasmFile(build),
      exact: EXACT,
      vocabulary: vocabularyFile(),
      options: withFiles,
    },
    {
      to: 'all.deno.mjs',
      beside: 'index.deno.mjs',
      host: 'deno',
      wasm: capabilityWasmOnDeno(build),
      exact: EXACT_ON_DENO,
      vocabulary: VOCABULARY_ON_DENO,
      options: ON_DENO,
    },
    {
      to: 'all.bun.mjs',
      beside: 'index.bun.mjs',
      host: 'node',
      wasm: wasmFile(build, IN_BUN),
      exact: EXACT_IN_BUN,
      vocabulary: vocabularyFile(IN_BUN),
      options: MODULES,
    },
    {
      to: 'whole.node.mjs',
      beside: 'whole.node.mjs',
      host: 'node',
      wasm: INLINE.esm(build),
      vocabulary: VOCABULARY_IMPORTED,
      options: inlined('esm'),
    },
    ...FORMATS.map(({ format, ending }) => ({
      to: `whole.${ending}`,
      beside: `whole.${ending}`,
      host: /** @type {const} */ ('none'),
      wasm: INLINE[format](build),
      vocabulary: VOCABULARY_IMPORTED,
      options: inlined(format),
    })),
  ];
}

/**
 * @param {Form} form
 * @param {string} name
 * @param {string} build
 */
async function capabilityAs({ to, beside, host, wasm, exact, vocabulary, options }, name, build) {
  await bundle({
    entryPoints: [path.join(source, `src/${name}.js`)],
    outfile: path.join(out, `dist/${name}-${to}`),
    ...options,
    plugins: [
      ...(beside === undefined ? [] : [external('error.js', `./${beside}`)]),
      parts(build, host, { wasm, exact, vocabulary }),
    ],
  });
}

/**
 * The saver for LangGraph.js: its class extends one of a package that is the user's own, so that each form takes
 * that in its own kind of module; what runs operations is that of the threads.
 */
export async function langgraph() {
  const forms = /** @type {const} */ ([
    { to: 'cjs', format: 'cjs', from: 'all.cjs' },
    { to: 'mjs', format: 'esm', from: 'all.cjs' },
    { to: 'deno.mjs', format: 'esm', from: 'all.deno.mjs' },
    { to: 'bun.mjs', format: 'esm', from: 'all.bun.mjs' },
    { to: 'bundle.mjs', format: 'esm', from: 'whole.node.mjs' },
    { to: 'portable.mjs', format: 'esm', from: 'whole.mjs' },
    { to: 'portable.cjs', format: 'cjs', from: 'whole.cjs' },
  ]);
  for (const { to, format, from } of forms) {
    await bundle({
      entryPoints: [path.join(source, 'src/langgraph.js')],
      outfile: path.join(out, `dist/langgraph.${to}`),
      format,
      external: ['@langchain/*', `./threads-${from}`],
      plugins: [threads(`./threads-${from}`, format)],
    });
  }
}

/**
 * The module that runs operations, from a file of the package.
 *
 * @param {string} file
 * @param {'esm' | 'cjs'} format of what takes it
 */
function threads(file, format) {
  const names = 'MilepostError, THREAD_OPTIONS, fromReply, openThreads';
  // A module knows of a file in CommonJS only that it has one value.
  const isOneValue = format === 'esm' && file.endsWith('.cjs');
  const contents = isOneValue
    ? `import all from '${file}';\nexport const { ${names} } = all;\n`
    : `export { ${names} } from '${file}';\n`;
  return {
    name: 'threads',
    /** @param {any} bundle */
    setup(bundle) {
      bundle.onResolve({ filter: /^milepost:threads$/ }, () => ({ path: 'threads', namespace: 'threads' }));
      bundle.onLoad({ filter: /^threads$/, namespace: 'threads' }, () => ({ contents, resolveDir: out }));
    },
  };
}

/**
 * The entry for PostgreSQL: for programs that can reach a database, and with the wasm for hosts that answer
 * later beside it.
 *
 * @param {string} name of its source and its files
 */
export async function onServers(name) {
  const forms = [
    { to: 'all.cjs', beside: 'index.cjs', host: 'node', exact: EXACT, options: { format: 'cjs' } },
    { to: 'all.deno.mjs', beside: 'index.deno.mjs', host: 'deno', exact: EXACT_ON_DENO, options: ON_DENO },
    { to: 'all.bun.mjs', beside: 'index.bun.mjs', host: 'node', exact: EXACT_IN_BUN, options: MODULES },
    { to: 'whole.node.mjs', beside: 'whole.node.mjs', host: 'node', options: { format: 'esm' } },
  ];
  for (const { to, beside, host, exact, options } of forms) {
    await bundle({
      entryPoints: [path.join(source, `src/${name}.js`)],
      outfile: path.join(out, `dist/${name}-${to}`),
      ...options,
      // Installed by users of a database.
      external: [...MODULES.external, 'pg'],
      plugins: [
        external('error.js', `./${beside}`),
        external('async.js', `./async-${to}`),
        parts('async', /** @type {'node' | 'deno'} */ (host), { wasm: '', exact }),
      ],
    });
  }
}
