// Modules that stand for `milepost:wasm`, `milepost:rest` and `milepost:large`, as text.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { wasm } from './paths.mjs';

/** The expressions for a module's own place, and for loading another module on demand. */
export const IN_COMMONJS = { here: '__dirname', require: 'require' };
export const IN_BUN = { here: 'import.meta.dirname', require: 'import.meta.require' };

/**
 * The wasm from its file, where the package is on a disk. A bundler takes along the same as text,
 * which is loaded where there is no such file.
 *
 * @param {string} name
 * @param {typeof IN_COMMONJS} [words]
 */
export function wasmFile(name, { here, require } = IN_COMMONJS) {
  return `
    import fs from 'node:fs';
    import { fromBase64 } from './src/base64.js';
    export function bytes() {
      try {
        return fs.readFileSync(${here} + '/${name}.wasm');
      } catch {
        return fromBase64(${require}('./${name}.wasm.cjs'));
      }
    }
  `;
}

/**
 * The wasm of a program is from its file alone: no bundle has it.
 *
 * @param {string} way from the code to the file
 * @param {string} [name]
 */
export function wasmBeside(way, name = 'command-line') {
  return `
    import fs from 'node:fs';
    export const bytes = () => fs.readFileSync(__dirname + '${way}/${name}.wasm');
  `;
}

/**
 * The wasm on Deno: compiled by its import, else from its file where that may be read, which
 * needs no prompt, else as text.
 *
 * @param {'hot' | 'library'} name
 */
export function wasmOnDeno(name) {
  return `
    import { compiled, modules } from './parts.deno.mjs';
    import { fromBase64 } from './src/base64.js';
    import { provide, required } from './src/host/deno/required.js';
    import { fileOf } from './src/host/deno/system.js';
    provide(modules);
    export const bytes = () =>
      compiled.${name} ?? fileOf('${name}.wasm') ?? fromBase64(required('./${name}.wasm.cjs'));
  `;
}

/**
 * The wasm of a capability on Deno, which an import of the package alone does not load.
 *
 * @param {string} name
 */
export function capabilityWasmOnDeno(name) {
  return `
  import { compiled, modules } from './parts.deno.mjs';
  import { fromBase64 } from './src/base64.js';
  import { provide, required } from './src/host/deno/required.js';
  import { fileOf } from './src/host/deno/system.js';
  provide(modules);
  const bundled = compiled.hot ? undefined : (await import('./${name}.wasm.cjs')).default;
  export const bytes = () =>
    fileOf('${name}.wasm') ?? fromBase64(bundled ?? required('./${name}.wasm.cjs'));
`;
}

/** A vocabulary as a module of its own, which a bundler follows and takes along. */
const VOCABULARIES = `
  export const modules = {
    o200k: () => import('./o200k.vocabulary.mjs'),
    cl100k: () => import('./cl100k.vocabulary.mjs'),
  };
`;

/** Vocabularies where the package is on a disk. */
export const vocabularyFile = ({ here } = IN_COMMONJS) => `
  import fs from 'node:fs';
  export const file = (name) => fs.readFileSync(${here} + '/' + name + '.vocabulary');
  ${VOCABULARIES}
`;

/** Vocabularies on Deno, where the package may be read. */
export const VOCABULARY_ON_DENO = `
  import { fileOf } from './src/host/deno/system.js';
  export const file = (name) => fileOf(name + '.vocabulary');
  ${VOCABULARIES}
`;

/** Vocabularies where there are no files. */
export const VOCABULARY_IMPORTED = `export const file = undefined;\n${VOCABULARIES}`;

/**
 * The parts that Deno has before anything is called. Importing wasm needs no permission. A bundle, which has no
 * files beside it, and an older Deno, which knows no such import, take along what is required later.
 */
export const PARTS_ON_DENO = `// A name that no bundler follows.
const file = './hot.source.mjs';
const hot = await import(file).then((imported) => imported.default, () => undefined);
export const compiled = { hot };
export const modules = hot ? {} : {
  './hot.wasm.cjs': (await import('./hot.wasm.cjs')).default,
  './library.wasm.cjs': (await import('./library.wasm.cjs')).default,
  './node-host.cjs': (await import('./node-host.cjs')).default,
};
`;

/** @param {string} build the wasm */
export function base64(build) {
  return fs.readFileSync(path.join(wasm, build, 'milepost_bg.wasm'), 'base64');
}

/**
 * The wasm as text inside the code: no file to find, regardless of the bundler or host. CommonJS loads
 * that text at the first call, from a module of its own: scanning it takes longer than all the rest
 * of loading the package. A bundler takes it along like any other module.
 */
export const INLINE = {
  esm: (/** @type {string} */ build) => `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64('${base64(build)}');
  `,
  cjs: (/** @type {string} */ build) => `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64(require('./${build}.wasm.cjs'));
  `,
};

/** Where there are no files, and for the command line, which has the larger wasm itself. */
export const NO_LARGE = 'export const load = undefined;';

/** Everything in one module. */
export const REST_HERE = `
  import * as all from './src/rest.js';
  export const rest = () => all;
`;
