// The programs of the package, on Node and its like: the command line, the hook, the servers, and what they load.

import * as path from 'node:path';

import { LATER, bundle, external, parts } from './bundle.mjs';
import { EXACT } from './forms.mjs';
import { out, source } from './paths.mjs';
import { wasmBeside } from './wasm.mjs';

/** The module that reaches a database, loaded where one is named. */
const DATABASE = `export const load = () => require('./command-line-database.cjs');`;

/** On Node: the operations that only the command line's wasm has, and the command line. */
export async function commandLine() {
  await bundle({
    entryPoints: [path.join(source, 'src/client/cli-operations.js')],
    outfile: path.join(out, 'dist/cli.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [parts('cli', 'node', { wasm: wasmBeside('', 'cli'), exact: EXACT })],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/program/bin.js')],
    outfile: path.join(out, 'bin/milepost.js'),
    banner: { js: '#!/usr/bin/env node' },
    format: 'cjs',
    external: ['node:*', '../dist/*.cjs', './hook.js'],
    plugins: [
      parts('cli', 'node', {
        wasm: wasmBeside('/../dist', 'cli'),
        exact: `() => require('../dist/exact-tokens.cjs')`,
        database: `export const load = () => require('../dist/command-line-database.cjs');`,
        hosted: `
          const verbs = () => require('../dist/verbs.cjs');
          export const hosted = {
            mcp: () => require('../dist/mcp.cjs'),
            notify: () => verbs().notify(),
            view: () => verbs().view(),
            export: () => verbs().page(),
            hooks: () => verbs().compile(),
            doctor: () => verbs().trial(),
          };
          export const startHook = () => require('./hook.js');
        `,
      }),
    ],
  });
  // The verbs that Node does, but for the server of agents: each begins, with the modules of Node that it needs, when it
  // is asked for.
  const contents = `
    export const compile = () => require('./src/verb/compile.js');
    export const trial = () => require('./src/verb/try-hooks.js');
    export const notify = () => require('./src/verb/notify.js');
    export const view = () => require('./src/verb/view.js');
    export const page = () => require('./src/verb/export.js');
  `;
  await bundle({
    stdin: { contents, resolveDir: source },
    outfile: path.join(out, 'dist/verbs.cjs'),
    format: 'cjs',
    minify: true,
    platform: 'node',
  });
  // Its connection to a database, loaded where one is named, and again as a thread.
  await bundle({
    entryPoints: [path.join(source, 'src/program/database.js')],
    outfile: path.join(out, 'dist/command-line-database.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [external('client/postgres/host.js', './database.cjs')],
  });
  // The threads of the servers.
  await bundle({
    entryPoints: [path.join(source, 'src/verb/worker.js')],
    outfile: path.join(out, 'dist/thread.cjs'),
    format: 'cjs',
    minify: true,
    external: LATER,
    plugins: [parts('cli', 'node', { wasm: wasmBeside('', 'cli'), exact: EXACT, database: DATABASE })],
  });
}

/** The server for agents, with the SDK in it; it runs operations by the wasm of the module that loads it. */
export async function mcp() {
  await bundle({
    entryPoints: [path.join(source, 'src/verb/mcp.js')],
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
    entryPoints: [path.join(source, 'src/program/hook.js')],
    outfile: path.join(out, 'bin/hook.js'),
    format: 'cjs',
    minify: true,
    external: ['node:*', '../dist/*.cjs'],
    plugins: [
      parts('agent-hook', 'node', {
        wasm: '',
        event: `
          export const loadEvent = () => require('../dist/hook-event.cjs');
          export const loadPrecedence = () => require('../dist/hook-precedence.cjs');
          export const loadStored = () => require('../dist/hook-library.cjs').stored();
          export const loadLibrary = () => require('../dist/hook-library.cjs');
        `,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/program/precedence.js')],
    outfile: path.join(out, 'dist/hook-precedence.cjs'),
    format: 'cjs',
    minify: true,
    external: ['node:*'],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/program/hook-event.js')],
    outfile: path.join(out, 'dist/hook-event.cjs'),
    format: 'cjs',
    minify: true,
    external: LATER,
    plugins: [
      parts('agent-hook', 'node', {
        wasm: wasmBeside('', 'agent-hook'),
        library: `export const library = () => require('./hook-library.cjs');`,
      }),
    ],
  });
  const contents = `
    export * from './src/program/hook-library.js';
    export const stored = () => require('./src/program/hook-stored.js');
  `;
  await bundle({
    stdin: { contents, resolveDir: source },
    outfile: path.join(out, 'dist/hook-library.cjs'),
    format: 'cjs',
    external: LATER,
    plugins: [parts('library', 'node', { wasm: wasmBeside('', 'library'), exact: EXACT, database: DATABASE })],
  });
}
