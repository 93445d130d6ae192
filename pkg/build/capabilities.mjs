// The entries beside the library, each in the forms that it has: what answers later, exact tokens, and those for the packages
// of others.

import * as path from 'node:path';

import { LATER, MODULES, ON_DENO, bundle, external, named, parts } from './bundle.mjs';
import { EXACT, EXACT_ON_DENO } from './forms.mjs';
import { out, renamed, source, write } from './paths.mjs';
import { DRIVER_REQUIRED, wasmInText, wasmInlined } from './wasm.mjs';

/** The package of exact tokens, which no other one brings with it. */
const EXACT_TOKENS = 'milepost-exact-tokens';

/**
 * @typedef {object} Form
 * @property {string} to the end of its name
 * @property {string} beside the file that has the class of errors
 * @property {'node' | 'deno' | 'none'} host
 * @property {string} [exact] what loads the entry with the vocabularies
 * @property {string} [driver] the module that loads `pg`
 * @property {object} options for esbuild
 */

/** @type {Record<'node' | 'deno' | 'bundle' | 'portable', Form>} */
const FORMS = {
  node: {
    to: 'cjs',
    beside: 'index.cjs',
    host: 'node',
    exact: EXACT,
    driver: DRIVER_REQUIRED,
    options: { format: 'cjs', external: MODULES.external },
  },
  deno: {
    to: 'deno.mjs',
    beside: 'index.deno.mjs',
    host: 'deno',
    exact: EXACT_ON_DENO,
    options: ON_DENO,
  },
  bundle: {
    to: 'bundle.mjs',
    beside: 'bundle.mjs',
    host: 'node',
    options: { format: 'esm', external: MODULES.external },
  },
  portable: {
    to: 'portable.mjs',
    beside: 'portable.mjs',
    host: 'none',
    options: { format: 'esm', external: MODULES.external },
  },
};

/** The runner of operations on hosts that answer later, with a wasm that is in the package as text alone. */
export async function deferred() {
  for (const { to, beside, host, exact, options } of Object.values(FORMS)) {
    const wasm = to === 'cjs' ? wasmInText('deferred') : wasmInlined('deferred');
    await bundle({
      entryPoints: [path.join(source, 'src/client/deferred.js')],
      outfile: path.join(out, `dist/deferred.${to}`),
      ...options,
      plugins: [external('error.js', `./${beside}`), parts('deferred', host, { wasm, exact })],
    });
  }
}

/**
 * The entry that counts tokens, which is in a package of its own. A bundler finds that or says that it is missing; where
 * there are files, the entry itself does.
 *
 * @param {string[]} names of the entry
 */
export async function exactTokens(names) {
  const { node, deno } = FORMS;
  const imported = `
    let found;
    let why;
    try {
      found = await import('${EXACT_TOKENS}');
    } catch (cause) {
      why = cause;
    }
    export function load() {
      if (found === undefined) throw why;
      return found;
    }
  `;
  // In a `try`, by which bundlers know that the package may be missing.
  const required = `
    export function load() {
      try {
        return require('${EXACT_TOKENS}');
      } catch (cause) {
        throw cause;
      }
    }
  `;
  for (const { to, beside, host, options, installed } of [
    { ...node, options: { ...node.options, ...named(names) }, installed: required },
    { ...deno, installed: imported },
  ]) {
    await bundle({
      entryPoints: [path.join(source, 'src/entry/exact-tokens/optional.js')],
      outfile: path.join(out, `dist/exact-tokens.${to}`),
      ...options,
      external: [...LATER, './*.mjs', EXACT_TOKENS],
      plugins: [external('error.js', `./${beside}`), parts('hook', host, { wasm: '', installed })],
    });
  }
  write('exact-tokens.portable.mjs', `export { ${names.join(', ')} } from '${EXACT_TOKENS}';\n`);
}

/**
 * The saver for LangGraph.js: its class extends one of a package that is the user's own, so that each kind of module
 * takes that in its own kind; what runs operations is the library.
 */
export async function langgraph() {
  const kinds = /** @type {const} */ ([
    { to: 'cjs', format: 'cjs', from: './library.cjs' },
    { to: 'mjs', format: 'esm', from: '#library' },
  ]);
  for (const { to, format, from } of kinds) {
    await bundle({
      entryPoints: [path.join(source, 'src/entry/langgraph.js')],
      outfile: path.join(out, `dist/langgraph.${to}`),
      format,
      external: ['@langchain/*', from],
      plugins: [external('milepost:threads', from)],
    });
  }
}

/**
 * The entry that stores the transcripts of sessions; what runs operations is the library.
 *
 * @param {string[]} names of the entry
 */
export async function sessionStore(names) {
  for (const { to, from, options } of [
    { to: 'cjs', from: './library.cjs', options: { format: 'cjs', ...named(names) } },
    { to: 'mjs', from: '#library', options: { format: 'esm' } },
  ]) {
    await bundle({
      entryPoints: [path.join(source, 'src/entry/session-store.js')],
      outfile: path.join(out, `dist/session-store.${to}`),
      ...options,
      external: [from],
      plugins: [external('milepost:threads', from)],
    });
  }
}

/**
 * The entry for PostgreSQL: for programs that can reach a database, and with what answers later beside it. On Node the
 * command line has the host of the same file.
 *
 * @param {string[]} names of the entry
 */
export async function postgres(names) {
  const { node, deno, bundle: inBundle } = FORMS;
  const entry = `export * from './src/entry/postgres.js';`;
  const host = `export { PostgresHost } from './src/client/postgres/host.js';`;
  for (const { contents, file, to, beside, host: on, exact, driver, options } of [
    { ...node, contents: entry + host, file: 'database.cjs' },
    { ...deno, contents: entry, file: 'postgres.deno.mjs' },
    { ...inBundle, contents: entry, file: 'postgres.bundle.mjs' },
  ]) {
    await bundle({
      stdin: { contents, resolveDir: source },
      outfile: path.join(out, 'dist', file),
      ...options,
      // Installed by users of a database.
      external: [...LATER, './*.mjs', 'pg'],
      plugins: [
        external('error.js', `./${beside}`),
        external('deferred.js', `./deferred.${to}`),
        parts('deferred', on, { wasm: '', exact, driver }),
      ],
    });
  }
  write('postgres.cjs', renamed(names, 'database'));
}
