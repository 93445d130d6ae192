// Bundles the package into a folder that `npm pack` takes as it is.
//
//   node build.mjs --tools FOLDER --wasm FOLDER --out FOLDER
//
// `--tools` has esbuild in its node_modules; `--wasm` has `hot`, `library`, `sessions` and `cli`, each with
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

/** The names of each entry. */
const ENTRIES = {
  index: [
    ...['MAX_SUMMARY_TOKENS', 'MilepostError', 'checkHandoffRequest', 'checkHandoffResponse'],
    ...['completeCheckpoint', 'countTokens', 'getResumePoint', 'getStateDir', 'lastError'],
    ...['loadCheckpoint', 'loadIntegrations', 'openStore', 'saveCheckpoint'],
    ...['truncateContextSummary', 'updatePhase', 'validateCheckpoint', 'validateContextSummary'],
  ],
  'token-counter': ['MAX_SUMMARY_TOKENS', 'countTokens', 'validateContextSummary'],
  'checkpoint-manager': [
    ...['completeCheckpoint', 'getResumePoint', 'getStateDir', 'loadCheckpoint'],
    ...['saveCheckpoint', 'updatePhase'],
  ],
  memory: ['MemoryFiles', 'openMemoryStore'],
  operation: ['runOperation'],
  sessions: ['openSessions'],
};

/** Entries that are not in what hooks load: in which file each is, and in which where there are no files. */
const ELSEWHERE = {
  memory: { name: 'rest', whole: 'whole' },
  operation: { name: 'rest', whole: 'whole' },
  sessions: { name: 'sessions-all', whole: 'sessions-whole' },
};

const TYPES = [...Object.keys(ENTRIES), 'schema', 'session-operations', 'store-operations', 'wire'];

/** @param {'tools' | 'wasm' | 'out'} option */
function folder(option) {
  const value = values[option];
  if (value === undefined) throw new Error(`build.mjs needs --${option} FOLDER`);
  return path.resolve(value);
}

/** The adapter of each host: what hooks ask for, and all that it can do. */
const HOSTS = {
  hot: { node: 'node/index.js', deno: 'deno/index.js', none: 'none.js' },
  whole: { node: 'node/whole.js', deno: 'deno/index.js', none: 'none.js' },
};

/**
 * Puts the build's own parts in place of the `milepost:` modules.
 *
 * @param {'hot' | 'library' | 'sessions' | 'cli'} build the wasm
 * @param {'node' | 'deno' | 'none'} host
 * @param {{wasm: string, rest?: string, large?: string}} code of these modules
 */
function parts(build, host, { wasm: bytes, rest = '', large = NO_LARGE }) {
  const files = {
    glue: path.join(wasm, build, 'milepost.js'),
    host: path.join(source, 'src/host', HOSTS[build === 'hot' ? 'hot' : 'whole'][host]),
  };
  const modules = { wasm: bytes, rest, large };
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
function external(file, as) {
  return {
    name: 'external',
    /** @param {any} bundle */
    setup(bundle) {
      const filter = new RegExp(`^\\./${file}$`);
      bundle.onResolve({ filter }, () => ({ path: as, external: true }));
    },
  };
}

/** How a module says where it is, and how it loads another one when that is asked for. */
const IN_COMMONJS = { here: '__dirname', require: 'require' };
const IN_BUN = { here: 'import.meta.dirname', require: 'import.meta.require' };

/**
 * The wasm from its file, where the package lies on a disk. A bundler takes along the same as text,
 * which is loaded where there is no such file.
 *
 * @param {string} name
 * @param {typeof IN_COMMONJS} [words]
 */
function wasmFile(name, { here, require } = IN_COMMONJS) {
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
 * The wasm of the command line is from its file alone: no bundle wants that much.
 *
 * @param {string} way from the code to the file
 */
function wasmBeside(way) {
  return `
    import fs from 'node:fs';
    export const bytes = () => fs.readFileSync(__dirname + '${way}/command-line.wasm');
  `;
}

/**
 * The wasm on Deno: compiled as it was imported, else from its file where that may be read, which
 * nobody is asked for, else as text.
 *
 * @param {'hot' | 'library'} name
 */
function wasmOnDeno(name) {
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

/** The same of session checkpoints, which an import of the package alone does not load. */
const SESSIONS_ON_DENO = `
  import { compiled, modules } from './parts.deno.mjs';
  import { fromBase64 } from './src/base64.js';
  import { provide, required } from './src/host/deno/required.js';
  import { fileOf } from './src/host/deno/system.js';
  provide(modules);
  const bundled = compiled.hot ? undefined : (await import('./sessions.wasm.cjs')).default;
  export const bytes = () =>
    fileOf('sessions.wasm') ?? fromBase64(bundled ?? required('./sessions.wasm.cjs'));
`;

/**
 * What Deno has before anything is called. Importing wasm needs no permission. A bundle, which has no
 * files beside it, and an older Deno, which knows no such import, take along what is required later.
 */
const PARTS_ON_DENO = `// A name that no bundler follows.
const file = './hot.source.mjs';
const hot = await import(file).then((imported) => imported.default, () => undefined);
export const compiled = { hot };
export const modules = hot ? {} : {
  './hot.wasm.cjs': (await import('./hot.wasm.cjs')).default,
  './library.wasm.cjs': (await import('./library.wasm.cjs')).default,
  './node-host.cjs': (await import('./node-host.cjs')).default,
};
`;

/** @param {'hot' | 'library' | 'sessions' | 'cli'} build */
function base64(build) {
  return fs.readFileSync(path.join(wasm, build, 'milepost_bg.wasm'), 'base64');
}

/**
 * The wasm as text inside the code: no file to find, whatever bundles or runs it. CommonJS loads
 * that text at the first call, from a module of its own: scanning it takes longer than all the rest
 * of loading the package. A bundler takes it along like any other module.
 */
const INLINE = {
  esm: (/** @type {'library' | 'sessions'} */ build) => `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64('${base64(build)}');
  `,
  cjs: (/** @type {'library' | 'sessions'} */ build) => `
    import { fromBase64 } from './src/base64.js';
    export const bytes = () => fromBase64(require('./${build}.wasm.cjs'));
  `,
};

/** Where there are no files, and for the command line, which has the larger wasm itself. */
const NO_LARGE = 'export const load = undefined;';

/** Everything in one module. */
const REST_HERE = `
  import * as all from './src/rest.js';
  export const rest = () => all;
`;

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

/** @param {{format: string, plugins?: object[], [option: string]: unknown}} options */
async function bundle({ plugins = [], ...options }) {
  await esbuild.build({
    bundle: true,
    logLevel: 'warning',
    platform: 'neutral',
    // What the glue calls for each effect is a name of nobody's until here.
    inject: [path.join(source, 'src/perform.js')],
    external: ['node:*'],
    target: 'node20',
    plugins: options.format === 'cjs' ? [BUILT_IN, ...plugins] : plugins,
    ...options,
  });
}

/** Files that are there at the time of a call. */
const LATER = ['node:*', './*.cjs'];

const MODULES = {
  format: 'esm',
  minify: true,
  external: [...LATER, './*.mjs'],
};

const ON_DENO = {
  ...MODULES,
  // To name it is to load it.
  define: { Buffer: 'undefined' },
};

/** Plain members: for exports of a module, esbuild would define each one twice, as an accessor. */
const EXPORTS = `
  import { ${ENTRIES.index.join(', ')} } from './src/index.js';
  module.exports = { ${ENTRIES.index.join(', ')} };
  Object.defineProperty(module.exports, '__esModule', { value: true });
`;

// On Node and its like: what hooks call is one small file, and everything else another one.
await bundle({
  stdin: { contents: EXPORTS, resolveDir: source },
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
await bundle({
  entryPoints: [path.join(source, 'src/rest.js')],
  outfile: path.join(out, 'dist/rest.cjs'),
  format: 'cjs',
  external: LATER,
  plugins: [
    // An error is of one class, whoever throws it.
    external('error.js', './index.cjs'),
    parts('library', 'node', {
      wasm: wasmFile('library'),
      rest: REST_HERE,
      large: `export const load = () => require('./large.cjs');`,
    }),
  ],
});
await bundle({
  entryPoints: [path.join(source, 'src/large.js')],
  outfile: path.join(out, 'dist/large.cjs'),
  format: 'cjs',
  external: LATER,
  plugins: [parts('cli', 'node', { wasm: wasmBeside('') })],
});
await bundle({
  entryPoints: [path.join(source, 'src/bin.js')],
  outfile: path.join(out, 'bin/milepost.js'),
  banner: { js: '#!/usr/bin/env node' },
  format: 'cjs',
  plugins: [parts('cli', 'node', { wasm: wasmBeside('/../dist') })],
});

// On Deno: the same two files without a `node:` module or `require`, which take Deno longer to load
// than a hook runs.
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
      large: `
        import { required } from './src/host/deno/required.js';
        export const load = () => required('./large.cjs');
      `,
    }),
  ],
});
await bundle({
  entryPoints: [path.join(source, 'src/node-host.js')],
  outfile: path.join(out, 'dist/node-host.cjs'),
  format: 'cjs',
});

// On Bun: the same two files as modules, because Bun takes a millisecond to pass from one kind to the
// other. `require` has the same modules there.
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
      large: `export const load = () => import.meta.require('./large.cjs');`,
    }),
  ],
});
// Session checkpoints, with a wasm of their own, in the same forms.
const SESSIONS = path.join(source, 'src/sessions.js');
await bundle({
  entryPoints: [SESSIONS],
  outfile: path.join(out, 'dist/sessions-all.cjs'),
  format: 'cjs',
  external: LATER,
  plugins: [external('error.js', './index.cjs'), parts('sessions', 'node', { wasm: wasmFile('sessions') })],
});
await bundle({
  entryPoints: [SESSIONS],
  outfile: path.join(out, 'dist/sessions-all.deno.mjs'),
  ...ON_DENO,
  plugins: [
    external('error.js', './index.deno.mjs'),
    parts('sessions', 'deno', { wasm: SESSIONS_ON_DENO }),
  ],
});
await bundle({
  entryPoints: [SESSIONS],
  outfile: path.join(out, 'dist/sessions-all.bun.mjs'),
  ...MODULES,
  plugins: [
    external('error.js', './index.bun.mjs'),
    parts('sessions', 'node', { wasm: wasmFile('sessions', IN_BUN) }),
  ],
});
await bundle({
  entryPoints: [SESSIONS],
  outfile: path.join(out, 'dist/sessions-whole.node.mjs'),
  format: 'esm',
  external: [...LATER, './*.mjs'],
  plugins: [
    external('error.js', './whole.node.mjs'),
    parts('sessions', 'node', { wasm: INLINE.esm('sessions') }),
  ],
});
for (const { format, ending } of FORMATS) {
  await bundle({
    entryPoints: [SESSIONS],
    outfile: path.join(out, `dist/sessions-whole.${ending}`),
    format,
    external: [...LATER, './*.mjs'],
    plugins: [
      external('error.js', `./whole.${ending}`),
      parts('sessions', 'none', { wasm: INLINE[format]('sessions') }),
    ],
  });
}

// Bun's own bundler follows `require` alone, in whose place esbuild would put a function of its own.
for (const name of ['index.bun.mjs', 'rest.bun.mjs', 'sessions-all.bun.mjs']) {
  const text = fs.readFileSync(path.join(out, 'dist', name), 'utf8');
  write(name, text.replaceAll('import.meta.require(', 'require('));
}

write('parts.deno.mjs', PARTS_ON_DENO);
write('hot.source.mjs', "import source wasm from './hot.wasm';\nexport default wasm;\n");

// For bundlers of programs for Node: one module with the wasm in it.
await bundle({
  entryPoints: [path.join(source, 'src/whole.js')],
  outfile: path.join(out, 'dist/whole.node.mjs'),
  format: 'esm',
  external: LATER,
  plugins: [
    parts('library', 'node', {
      wasm: INLINE.esm('library'),
      rest: REST_HERE,
      large: `
        import { createRequire } from 'node:module';
        export const load = () => createRequire(import.meta.url)('./large.cjs');
      `,
    }),
  ],
});

// For pages: the same without files.
for (const { format, ending } of FORMATS) {
  await bundle({
    entryPoints: [path.join(source, 'src/whole.js')],
    outfile: path.join(out, `dist/whole.${ending}`),
    format,
    external: LATER,
    plugins: [parts('library', 'none', { wasm: INLINE[format]('library'), rest: REST_HERE })],
  });
}

for (const [entry, names] of Object.entries(ENTRIES)) {
  const list = names.join(', ');
  const { name, whole } = /** @type {Record<string, {name: string, whole: string}>} */ (ELSEWHERE)[entry] ?? {
    name: 'index',
    whole: 'whole',
  };
  const file = `./${name}.cjs`;
  const taken = `const { ${list} } = require('${file}');\nmodule.exports = { ${list} };\n`;
  if (entry !== 'index') write(`${entry}.cjs`, taken);
  write(`${entry}.mjs`, `import all from '${file}';\nexport const { ${list} } = all;\n`);
  for (const host of ['deno', 'bun']) {
    const from = file.replace('.cjs', `.${host}.mjs`);
    if (entry !== 'index') write(`${entry}.${host}.mjs`, `export { ${list} } from '${from}';\n`);
  }
  write(`${entry}.bundle.mjs`, `export { ${list} } from './${whole}.node.mjs';\n`);
  write(`${entry}.portable.mjs`, `export { ${list} } from './${whole}.mjs';\n`);
  write(`${entry}.portable.cjs`, taken.replace(file, `./${whole}.cjs`));
}

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  fs.writeFileSync(path.join(out, 'dist', name), text);
}

fs.chmodSync(path.join(out, 'bin/milepost.js'), 0o755);

for (const name of TYPES) {
  const text = fs.readFileSync(path.join(source, `types/${name}.d.ts`), 'utf8');
  for (const { ending, types } of FORMATS) {
    const twin = text.replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.${ending}'`);
    fs.writeFileSync(path.join(out, `dist/${name}.${types}`), twin);
  }
}
for (const [name, build] of /** @type {const} */ ([
  ['hot', 'hot'],
  ['library', 'library'],
  ['sessions', 'sessions'],
  ['command-line', 'cli'],
])) {
  fs.copyFileSync(path.join(wasm, build, 'milepost_bg.wasm'), path.join(out, `dist/${name}.wasm`));
  if (build !== 'cli') write(`${name}.wasm.cjs`, `module.exports = '${base64(build)}';\n`);
}
fs.copyFileSync(path.join(source, 'package.json'), path.join(out, 'package.json'));
