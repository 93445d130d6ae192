// The entries beside the library, each in the forms that it has: those with a wasm of their own, and those for the
// packages of others.

import * as path from 'node:path';

import { LATER, MODULES, ON_DENO, bundle, external, parts } from './bundle.mjs';
import { EXACT, EXACT_IN_BUN, EXACT_ON_DENO } from './forms.mjs';
import { out, source } from './paths.mjs';
import {
  DRIVER_REQUIRED,
  IN_BUN,
  VOCABULARY_IMPORTED,
  VOCABULARY_ON_DENO,
  vocabularyFile,
  wasmInText,
  wasmInlined,
} from './wasm.mjs';

/**
 * @typedef {object} Form
 * @property {string} to the end of its name
 * @property {string} [beside] the file that has the class of errors
 * @property {'node' | 'deno' | 'none'} host
 * @property {string} [exact] what loads the entry with the vocabularies
 * @property {string} [driver] the module that loads `pg`
 * @property {string} vocabulary the module that has the vocabularies
 * @property {object} options for esbuild
 */

/** @type {Record<'node' | 'deno' | 'bun' | 'bundle' | 'portable', Form>} */
const FORMS = {
  node: {
    to: 'cjs',
    beside: 'index.cjs',
    host: 'node',
    exact: EXACT,
    driver: DRIVER_REQUIRED,
    vocabulary: vocabularyFile(),
    options: { format: 'cjs', external: MODULES.external },
  },
  deno: {
    to: 'deno.mjs',
    beside: 'index.deno.mjs',
    host: 'deno',
    exact: EXACT_ON_DENO,
    vocabulary: VOCABULARY_ON_DENO,
    options: ON_DENO,
  },
  bun: {
    to: 'bun.mjs',
    beside: 'index.bun.mjs',
    host: 'node',
    exact: EXACT_IN_BUN,
    vocabulary: vocabularyFile(IN_BUN),
    options: MODULES,
  },
  bundle: {
    to: 'bundle.mjs',
    beside: 'bundle.mjs',
    host: 'node',
    vocabulary: VOCABULARY_IMPORTED,
    options: { format: 'esm', external: MODULES.external },
  },
  portable: {
    to: 'portable.mjs',
    beside: 'portable.mjs',
    host: 'none',
    vocabulary: VOCABULARY_IMPORTED,
    options: { format: 'esm', external: MODULES.external },
  },
};

/** The runner of operations on hosts that answer later, with a wasm that is in the package as text alone. */
export async function deferred() {
  for (const form of Object.values(FORMS)) await bundled(form, 'client', 'deferred');
}

/**
 * The entry that counts tokens. For bundles and pages it is one module with a class of errors of its own, because a
 * page that counts would have to download all of the library for that of the others.
 */
export async function exactTokens() {
  const { node, deno, bun, portable } = FORMS;
  const alone = { ...portable, beside: undefined, options: { ...portable.options, minify: true } };
  for (const form of [node, deno, bun, alone]) await bundled(form, 'entry', 'exact-tokens');
}

/**
 * One form of an entry that has the build of its name, and takes the class of errors from the file that it goes with.
 *
 * @param {Form} form
 * @param {string} floor the folder of its source
 * @param {string} name
 */
async function bundled({ to, beside, host, exact, vocabulary, options }, floor, name) {
  const wasm = to === 'cjs' ? wasmInText(name) : wasmInlined(name);
  await bundle({
    entryPoints: [path.join(source, `src/${floor}/${name}.js`)],
    outfile: path.join(out, `dist/${name}.${to}`),
    ...options,
    plugins: [
      ...(beside === undefined ? [] : [external('error.js', `./${beside}`)]),
      parts(name, host, { wasm, exact, vocabulary }),
    ],
  });
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

/** The entry for PostgreSQL: for programs that can reach a database, and with what answers later beside it. */
export async function postgres() {
  const { node, deno, bun, bundle: inBundle } = FORMS;
  for (const { to, beside, host, exact, driver, options } of [node, deno, bun, inBundle]) {
    await bundle({
      entryPoints: [path.join(source, 'src/entry/postgres.js')],
      outfile: path.join(out, `dist/postgres.${to}`),
      ...options,
      // Installed by users of a database.
      external: [...LATER, './*.mjs', 'pg'],
      plugins: [
        external('error.js', `./${beside}`),
        external('deferred.js', `./deferred.${to}`),
        parts('deferred', host, { wasm: '', exact, driver }),
      ],
    });
  }
}
