// Modules that stand for `milepost:wasm` and `milepost:vocabulary`, as text; and the wasm as text in modules of its own.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { bundle } from './bundle.mjs';
import { source, wasm } from './paths.mjs';

/** The expressions for a module's own place, and for loading another module on demand. */
export const IN_COMMONJS = { here: '__dirname', require: 'require' };
export const IN_BUN = { here: 'import.meta.dirname', require: 'import.meta.require' };

/** The folder of the modules that have a wasm as text, below `dist`. */
const INLINED = 'inlined';

/** The text in place of the files of hooks and of the library, where there are none: it does what both do, by the same imports. */
const IN_PLACE = `./${INLINED}/library.mjs`;

/** The end of such a module's name, and where its text stands in it. */
const STARTS = `inflated('`;
const ENDS = `')`;

/**
 * Writes the modules that have wasm as text, each build once: for bundles and pages, which have no file beside the
 * code. They are modules of ECMAScript alone, which `require` of bundlers, Bun and Deno takes as well.
 *
 * @param {string[]} builds
 * @param {string} dist the folder of the code that imports them
 */
export async function writeInlined(builds, dist) {
  if (builds.length === 0) return;
  fs.mkdirSync(path.join(dist, INLINED), { recursive: true });
  await bundle({
    entryPoints: [path.join(source, 'src/wasm/inflate.js')],
    outfile: path.join(dist, `${INLINED}/inflate.mjs`),
    format: 'esm',
    minify: true,
    inject: [],
  });
  for (const name of builds) {
    const packed = fs.readFileSync(wasmOf(name).replace(/wasm$/, 'deflate'), 'base64');
    const text = `export const bytes = () => ${STARTS}${packed}${ENDS};\n`;
    fs.writeFileSync(path.join(dist, `${INLINED}/${name}.mjs`), `import { inflated } from './inflate.mjs';\n${text}`);
  }
}

/**
 * The wasm of a build, as wasm-bindgen left it.
 *
 * @param {string} name
 */
export function wasmOf(name) {
  return path.join(wasm, name, 'milepost_bg.wasm');
}

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
    export function bytes() {
      try {
        return fs.readFileSync(${here} + '/${name}.wasm');
      } catch {
        return ${require}('${IN_PLACE}').bytes();
      }
    }
  `;
}

/**
 * The wasm of a program is from its file alone: no bundle has it.
 *
 * @param {string} way from the code to the file
 * @param {string} name
 */
export function wasmBeside(way, name) {
  return `
    import fs from 'node:fs';
    export const bytes = () => fs.readFileSync(__dirname + '${way}/${name}.wasm');
  `;
}

/**
 * Wasm that is in the package as text alone, in CommonJS: this reads the module as the file that it is, because
 * Node 20 has no `require` for one.
 *
 * @param {string} name
 */
export function wasmInText(name) {
  return `
    import fs from 'node:fs';
    export function bytes() {
      let text;
      try {
        text = fs.readFileSync(__dirname + '/${INLINED}/${name}.mjs', 'latin1');
      } catch {
        return require('./${INLINED}/${name}.mjs').bytes();
      }
      const start = text.indexOf("${STARTS}") + ${STARTS.length};
      return require('node:zlib').inflateRawSync(Buffer.from(text.slice(start, text.lastIndexOf("${ENDS}")), 'base64'));
    }
  `;
}

/**
 * The wasm as text, in a module of its own: no file to find, regardless of the bundler or host.
 *
 * @param {string} name
 */
export function wasmInlined(name) {
  return `export { bytes } from './${INLINED}/${name}.mjs';`;
}

/**
 * The wasm as a module that the bundler or the host has compiled, for hosts that compile nothing while a program runs.
 *
 * @param {string} name
 */
export function wasmCompiled(name) {
  return `
    import compiled from './${name}.wasm';
    export const bytes = () => compiled;
  `;
}

/**
 * The wasm on Deno: compiled by its import, else from its file where that may be read, which
 * needs no prompt, else as text.
 *
 * @param {'hook' | 'library'} name
 */
export function wasmOnDeno(name) {
  return `
    import { compiled, inlined, modules } from './parts.deno.mjs';
    import { provide, required } from './src/host/deno/required.js';
    import { fileOf } from './src/host/deno/system.js';
    provide(modules);
    export const bytes = () =>
      compiled.${name} ?? fileOf('${name}.wasm') ?? (inlined ?? required('${IN_PLACE}')).bytes();
  `;
}

/**
 * The parts that Deno has before anything is called. Importing wasm needs no permission. A bundle, which has no
 * files beside it, and an older Deno, which knows no such import, take along what is required later.
 */
export const PARTS_ON_DENO = `// A name that no bundler follows.
const file = './hook.source.mjs';
const hook = await import(file).then((imported) => imported.default, () => undefined);
export const compiled = { hook };
export const inlined = hook ? undefined : await import('${IN_PLACE}');
export const modules = hook ? {} : {
  './node-host.cjs': (await import('./node-host.cjs')).default,
};
`;

/**
 * The wasm as text on Deno, where nothing can be required later: what Deno's adapter leaves to Node's is there from the
 * start.
 *
 * @param {string} name
 * @param {string} nodeHost the module with that adapter
 */
export function wasmOnJsr(name, nodeHost) {
  return `
    import { bytes as inlined } from './${INLINED}/${name}.mjs';
    import * as nodeHost from './${nodeHost}';
    import { provide } from './src/host/deno/required.js';
    provide({ './node-host.cjs': nodeHost });
    export const bytes = () => inlined();
  `;
}

/** A vocabulary as a module of its own, which a bundler follows and takes along. */
const VOCABULARIES = `
  export const modules = {
    o200k: () => import('./o200k.vocabulary.mjs'),
    cl100k: () => import('./cl100k.vocabulary.mjs'),
  };
`;

/** Vocabularies where the package is on a disk: the same modules, read as the files that they are. */
export const vocabularyFile = ({ here } = IN_COMMONJS) => `
  import fs from 'node:fs';
  export const file = (name) => fs.readFileSync(${here} + '/' + name + '.vocabulary.mjs', 'latin1');
  ${VOCABULARIES}
`;

/** Vocabularies on Deno, where the package may be read. */
export const VOCABULARY_ON_DENO = `
  import { fileOf } from './src/host/deno/system.js';
  export function file(name) {
    const bytes = fileOf(name + '.vocabulary.mjs');
    return bytes && new TextDecoder().decode(bytes);
  }
  ${VOCABULARIES}
`;

/**
 * The driver of PostgreSQL. Where code is required, so is the driver: a test runner that gives code a context of its own
 * refuses an `import()` there, and knows `require`.
 */
export const DRIVER_IMPORTED = `export const load = () => import('pg');`;
export const DRIVER_REQUIRED = `export const load = () => require('pg');`;

/** Vocabularies where there are no files. */
export const VOCABULARY_IMPORTED = `export const file = undefined;\n${VOCABULARIES}`;

/** The library in the same module. */
export const LIBRARY_HERE = `
  import * as all from './src/entry/library.js';
  export const library = () => all;
`;
