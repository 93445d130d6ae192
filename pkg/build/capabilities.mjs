// The entries beside the library, each in the forms that it has: those with a wasm of their own, and those for the
// packages of others.

import * as path from 'node:path';

import { MODULES, ON_DENO, bundle, external, parts } from './bundle.mjs';
import { EXACT, EXACT_IN_BUN, EXACT_ON_DENO, FORMATS } from './forms.mjs';
import { out, source } from './paths.mjs';
import {
  IN_BUN,
  INLINE,
  VOCABULARY_IMPORTED,
  VOCABULARY_ON_DENO,
  vocabularyFile,
  wasmFile,
  capabilityWasmOnDeno,
} from './wasm.mjs';

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
