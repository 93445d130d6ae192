// Bundles the package into a folder that `npm pack` takes as it is, the plugin for Claude Code into another one, and
// the viewer's page into a third.
//
//   node build.mjs --tools FOLDER --wasm FOLDER --vocabularies FOLDER --out FOLDER --plugin FOLDER --viewer FOLDER
//                  [--builds NAME,NAME…]
//
// `--tools` has esbuild in its node_modules; `--wasm` has `hot`, `library`, `tasks`, `cli`, `viewer`,
// `viewer-all` and one folder for each capability, each with milepost.js and milepost_bg.wasm;
// `--vocabularies` has what `build/vocabulary.mjs` makes. With `--builds`, only what these wasm files are enough for is
// bundled: there are the entries and programs of them, and nothing else. Such a part is no plugin.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { capability, exactTokens, langgraph, onServers } from './build/capabilities.mjs';
import { FORMATS, inOneModule, onBun, onDeno, onNode, restOnNode } from './build/forms.mjs';
import { writeLicences } from './build/licences.mjs';
import { isChosen, isWhole, out, source, viewer, vocabularies, wasm, write } from './build/paths.mjs';
import { claudePlugin } from './build/plugin.mjs';
import { commandLine, database, hook, mcp, notify, viewing } from './build/programs.mjs';
import { viewerPage } from './build/viewer.mjs';
import { PARTS_ON_DENO, base64 } from './build/wasm.mjs';

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
};

/**
 * The entries that have a wasm of their own, which is loaded at the first call.
 *
 * @type {Record<string, {build: string, names: string[]}>}
 */
const CAPABILITIES = {
  snapshots: { build: 'sessions', names: ['openSnapshots'] },
  tasks: { build: 'tasks', names: ['CheckpointManager', 'createCheckpointManager'] },
};

/**
 * The earlier names of capabilities: each has the files of the present one, under its earlier names.
 *
 * @type {Record<string, {of: string, names: string[]}>}
 */
const ALIASES = { sessions: { of: 'snapshots', names: ['openSessions'] } };

/** The entry that counts with vocabularies, and these. */
const EXACT = {
  name: 'exact-tokens',
  names: [
    ...['ENCODINGS', 'TokenCounter', 'countTokens', 'decode', 'encode', 'estimate', 'fits'],
    ...['load', 'truncate'],
  ],
  vocabularies: ['o200k', 'cl100k'],
};

/** An entry made of the operations on threads, in the wasm of task checkpoints. */
const THREADS = { name: 'threads', build: 'tasks' };

/** Wasm with its code that is no entry: what others load when a host answers later. */
const ASYNC = 'async';

/** The names of each entry that reaches a server, for which pages have no way. */
const SERVERS = {
  postgres: ['openPostgresStore', 'postgresHost'],
};

/** The entry that runs operations on hosts of both kinds. */
const OPERATION = 'operation';

/** The names of every entry. @type {Record<string, string[]>} */
const NAMES = {
  ...ENTRIES,
  ...Object.fromEntries(
    Object.entries({ ...CAPABILITIES, ...ALIASES }).map(([entry, { names }]) => [entry, names]),
  ),
  ...SERVERS,
  [EXACT.name]: EXACT.names,
};

/** Entries that are in what is loaded after hooks. */
const LATER_ENTRIES = ['memory', OPERATION];

const TYPES = [
  ...Object.keys(NAMES),
  ...['langgraph', 'schema', 'session-operations', 'store-operations', 'task-checkpoints'],
  'wire',
];

/**
 * In which file an entry is, and in which where there are no files.
 *
 * @param {string} entry
 * @returns {{name: string, whole: string}}
 */
function home(entry) {
  if (entry in ALIASES) return home(ALIASES[entry].of);
  if (entry in CAPABILITIES || entry in SERVERS || entry === EXACT.name) {
    return { name: `${entry}-all`, whole: `${entry}-whole` };
  }
  return { name: LATER_ENTRIES.includes(entry) ? 'rest' : 'index', whole: 'whole' };
}

/** The wasm that hooks load, and that others of the package begin with: the class of errors is there. */
const HOOKS = ['hot'];
const LIBRARY = [...HOOKS, 'library'];

/** The wasm files that an entry is made of. @type {Record<string, string[]>} */
const BUILDS_OF = {
  ...Object.fromEntries(Object.keys(ENTRIES).map((name) => [name, LIBRARY])),
  ...Object.fromEntries(Object.entries(CAPABILITIES).map(([name, { build }]) => [name, [...LIBRARY, build]])),
  ...Object.fromEntries(
    Object.entries(ALIASES).map(([name, { of }]) => [name, [...LIBRARY, CAPABILITIES[of].build]]),
  ),
  ...Object.fromEntries(Object.keys(SERVERS).map((name) => [name, [...LIBRARY, ASYNC]])),
  [EXACT.name]: [...HOOKS, EXACT.name],
};

/** Bundles, and the wasm files that they are made of. @type {[string[], () => Promise<void>][]} */
const BUNDLES = [
  [HOOKS, () => onNode(ENTRIES.index)],
  [LIBRARY, restOnNode],
  [['cli'], commandLine],
  [[...LIBRARY, 'cli', ASYNC], database],
  [['cli'], mcp],
  [['cli'], notify],
  [['cli'], viewing],
  [['hook', 'sessions'], hook],
  [LIBRARY, onDeno],
  [LIBRARY, onBun],
  ...Object.entries(CAPABILITIES).map(([name, { build }]) =>
    bundled(BUILDS_OF[name], () => capability(name, build)),
  ),
  [[...LIBRARY, THREADS.build], () => capability(THREADS.name, THREADS.build)],
  [[...LIBRARY, ASYNC], () => capability(ASYNC)],
  [BUILDS_OF[EXACT.name], () => exactTokens(EXACT.name)],
  ...Object.keys(SERVERS).map((name) => bundled(BUILDS_OF[name], () => onServers(name))),
  [[...LIBRARY, THREADS.build], langgraph],
  [LIBRARY, inOneModule],
];

/**
 * @param {string[]} builds
 * @param {() => Promise<void>} make
 * @returns {[string[], () => Promise<void>]}
 */
function bundled(builds, make) {
  return [builds, make];
}

fs.mkdirSync(path.join(out, 'dist'), { recursive: true });
for (const [builds, make] of BUNDLES) if (isChosen(builds)) await make();

// Bun's own bundler follows `require` alone, in whose place esbuild would put a function of its own.
const capabilities = [...Object.keys(CAPABILITIES), THREADS.name, ASYNC, EXACT.name];
for (const name of ['index', 'rest', ...capabilities.map((name) => `${name}-all`)]) {
  const file = path.join(out, `dist/${name}.bun.mjs`);
  if (!fs.existsSync(file)) continue;
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replaceAll('import.meta.require(', 'require('));
}

if (isChosen(LIBRARY)) {
  write('parts.deno.mjs', PARTS_ON_DENO);
  write('hot.source.mjs', "import source wasm from './hot.wasm';\nexport default wasm;\n");
}

for (const [entry, names] of Object.entries(NAMES)) {
  if (!isChosen(BUILDS_OF[entry])) continue;
  const list = names.join(', ');
  const { name, whole } = home(entry);
  const file = `./${name}.cjs`;
  const taken = `const { ${list} } = require('${file}');\nmodule.exports = { ${list} };\n`;
  if (entry !== 'index') write(`${entry}.cjs`, taken);
  write(`${entry}.mjs`, `import all from '${file}';\nexport const { ${list} } = all;\n`);
  for (const host of ['deno', 'bun']) {
    const from = file.replace('.cjs', `.${host}.mjs`);
    if (entry !== 'index') write(`${entry}.${host}.mjs`, `export { ${list} } from '${from}';\n`);
  }
  if (entry === OPERATION) continue;
  write(`${entry}.bundle.mjs`, `export { ${list} } from './${whole}.node.mjs';\n`);
  if (entry in SERVERS) continue;
  write(`${entry}.portable.mjs`, `export { ${list} } from './${whole}.mjs';\n`);
  write(`${entry}.portable.cjs`, taken.replace(file, `./${whole}.cjs`));
}

if (isChosen([...LIBRARY, ASYNC])) {
  // In one module of each, both wasm files that a custom host may need.
  const RUN = '(request, perform) => runOn(() => later, request, perform);\n';
  for (const [form, ending] of [
    ['bundle', 'node.mjs'],
    ['portable', 'mjs'],
  ]) {
    const taken = `import { runOn } from './whole.${ending}';\nimport * as later from './async-whole.${ending}';\n`;
    write(`${OPERATION}.${form}.mjs`, `${taken}export const runOperation = ${RUN}`);
  }
  write(
    `${OPERATION}.portable.cjs`,
    "const { runOn } = require('./whole.cjs');\nconst later = require('./async-whole.cjs');\n" +
      `exports.runOperation = ${RUN}`,
  );
}

if (isChosen(['cli'])) fs.chmodSync(path.join(out, 'bin/milepost.js'), 0o755);

for (const name of isWhole ? TYPES : []) {
  const text = fs.readFileSync(path.join(source, `types/${name}.d.ts`), 'utf8');
  for (const { ending, types } of FORMATS) {
    const twin = text.replaceAll(/(from '\.\/[a-z-]+)\.js'/g, `$1.${ending}'`);
    fs.writeFileSync(path.join(out, `dist/${name}.${types}`), twin);
  }
}
const capabilityBuilds = Object.values(CAPABILITIES).map(({ build }) => build);
const files = ['hot', 'library', ...capabilityBuilds, THREADS.build, ASYNC, EXACT.name, 'hook', 'cli'];
for (const name of new Set(files.filter((name) => isChosen([name])))) {
  const file = name === 'cli' ? 'command-line' : name;
  fs.copyFileSync(path.join(wasm, name, 'milepost_bg.wasm'), path.join(out, `dist/${file}.wasm`));
  if (name !== 'cli' && name !== 'hook') write(`${name}.wasm.cjs`, `module.exports = '${base64(name)}';\n`);
}
for (const name of isChosen([EXACT.name]) ? EXACT.vocabularies : []) {
  const file = `${name}.vocabulary`;
  fs.copyFileSync(path.join(vocabularies, file), path.join(out, 'dist', file));
  // Where there are no files: a module of its own for each, so that only the requested one is downloaded.
  write(`${file}.mjs`, `export default '${fs.readFileSync(path.join(vocabularies, file), 'base64')}';\n`);
}
if (viewer !== '') await viewerPage(viewer, path.join(out, 'dist/viewer'));
writeLicences();
fs.copyFileSync(path.join(source, 'package.json'), path.join(out, 'package.json'));
if (isWhole) await claudePlugin();
