// Bundles the package into a folder that `npm pack` takes as it is, that of exact tokens into another one, the plugin for
// Claude Code into a third, the viewer's page into a fourth, and the package of JSR into a fifth.
//
//   node build.mjs --tools FOLDER --builds NAME,NAME… --wasm FOLDER --vocabularies FOLDER --out FOLDER
//                  --exact-tokens FOLDER --plugin FOLDER --viewer FOLDER --jsr FOLDER [--part NAME,NAME…]
//                  [--bundled FILE]
//
// `--tools` has esbuild in its node_modules; `--builds` are the names of the table of builds, and `--wasm` has a folder
// for each, with milepost.js, milepost_bg.wasm and the same as milepost_bg.deflate; `--vocabularies` has what
// `build/vocabulary.mjs` makes. With `--part`, only what these builds are enough for is bundled: there are the entries and
// programs of them, and nothing else. Such a part is no plugin, and no package of JSR.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { deferred, exactTokens, langgraph, postgres, sessionStore } from './build/capabilities.mjs';
import { exactTokensPackage } from './build/exact-tokens.mjs';
import { inOneModule, libraryOnNode, onBun, onDeno, onNode } from './build/forms.mjs';
import { jsrPackage } from './build/jsr.mjs';
import { writeLicences, writeList } from './build/licences.mjs';
import { isChosen, isWhole, jsr, out, renamed, source, viewer, write } from './build/paths.mjs';
import { claudePlugin } from './build/plugin.mjs';
import { commandLine, hook, mcp } from './build/programs.mjs';
import { writeTypes } from './build/types.mjs';
import { viewerPage } from './build/viewer.mjs';
import { PARTS_ON_DENO, wasmOf, writeInlined } from './build/wasm.mjs';

/** The names of the main entry, which hooks load. */
const INDEX = [
  ...['MAX_SUMMARY_TOKENS', 'MilepostError', 'checkHandoffRequest', 'checkHandoffResponse'],
  ...['completeCheckpoint', 'countTokens', 'getResumePoint', 'getStateDir', 'lastError'],
  ...['loadCheckpoint', 'loadIntegrations', 'openStore', 'saveCheckpoint'],
  ...['truncateContextSummary', 'updatePhase', 'validateCheckpoint', 'validateContextSummary'],
];

/**
 * The entries that have some names of another file: of `index`, or of `library`, which is loaded after it.
 *
 * @type {Record<string, {of: 'index' | 'library', names: string[]}>}
 */
const ENTRIES = {
  'token-counter': { of: 'index', names: ['MAX_SUMMARY_TOKENS', 'countTokens', 'validateContextSummary'] },
  'checkpoint-manager': {
    of: 'index',
    names: [
      ...['completeCheckpoint', 'getResumePoint', 'getStateDir', 'loadCheckpoint'],
      ...['saveCheckpoint', 'updatePhase'],
    ],
  },
  memory: { of: 'library', names: ['MemoryFiles', 'openMemoryStore'] },
  operation: { of: 'library', names: ['runOperation'] },
  snapshots: { of: 'library', names: ['openSnapshots'] },
  // The earlier name.
  sessions: { of: 'library', names: ['openSessions'] },
  tasks: { of: 'library', names: ['CheckpointManager', 'createCheckpointManager'] },
};

/** All names of `library` that entries have. */
const LIBRARY_NAMES = [
  ...Object.values(ENTRIES).flatMap(({ of, names }) => (of === 'library' ? names : [])),
  ...['MilepostError', 'THREAD_OPTIONS', 'fromReply', 'openThreads'],
];

/** The names of the entries that are files of their own. @type {Record<string, string[]>} */
const OWN = {
  'exact-tokens': [
    ...['ENCODINGS', 'TokenCounter', 'countTokens', 'decode', 'encode', 'estimate', 'fits'],
    ...['load', 'truncate'],
  ],
  postgres: ['openPostgresStore', 'postgresHost'],
  'session-store': ['MilepostSession', 'MilepostSessionStore'],
};

/** The builds that entries begin with: the class of errors is in the file of hooks. */
const LIBRARY = ['hook', 'library'];
/** The builds that a bundle takes as text, where there is no file beside it. */
const INLINED = ['library', 'deferred'];
/** The builds that are files beside the code. The others are in the package as text alone, as unpacking takes little. */
const FILES = ['hook', 'agent-hook', 'library', 'cli'];

/** Bundles, and the builds that they are made of. @type {[string[], () => Promise<void>][]} */
const BUNDLES = [
  [['hook'], () => onNode(INDEX)],
  [LIBRARY, () => libraryOnNode(LIBRARY_NAMES)],
  [LIBRARY, onDeno],
  [LIBRARY, onBun],
  [LIBRARY, inOneModule],
  [LIBRARY, langgraph],
  [LIBRARY, () => sessionStore(OWN['session-store'])],
  [[...LIBRARY, 'deferred'], deferred],
  [[...LIBRARY, 'deferred'], () => postgres(OWN.postgres)],
  [['hook'], () => exactTokens(OWN['exact-tokens'])],
  [['exact-tokens'], () => exactTokensPackage(OWN['exact-tokens'])],
  [['cli'], commandLine],
  [['cli'], mcp],
  [['agent-hook', 'library'], hook],
];

fs.mkdirSync(path.join(out, 'dist'), { recursive: true });
for (const [builds, make] of BUNDLES) if (isChosen(builds)) await make();
await writeInlined(INLINED.filter((name) => isChosen([name])), path.join(out, 'dist'));

// Bun's own bundler follows `require` alone, in whose place esbuild would put a function of its own.
for (const name of ['index', 'library']) {
  const file = path.join(out, `dist/${name}.bun.mjs`);
  if (!fs.existsSync(file)) continue;
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replaceAll('import.meta.require(', 'require('));
}

if (isChosen(LIBRARY)) writeEntries();

if (isChosen(['cli'])) fs.chmodSync(path.join(out, 'bin/milepost.js'), 0o755);
for (const name of FILES.filter((name) => isChosen([name]))) {
  fs.copyFileSync(wasmOf(name), path.join(out, `dist/${name}.wasm`));
}
if (isWhole) writeTypes();
if (viewer !== '') await viewerPage(viewer, path.join(out, 'dist/viewer'));
if (isWhole) await jsrPackage(jsrEntries());
writeLicences(out, { ranks: false });
if (isWhole) writeLicences(jsr, { ranks: false });
writeList();
fs.copyFileSync(path.join(source, 'package.json'), path.join(out, 'package.json'));
if (isWhole) await claudePlugin();

/**
 * Writes the entries that have the names of another file. For modules each is one file: `imports` in package.json says
 * which form of `#index` and `#library` a host or a bundler gets.
 */
function writeEntries() {
  write('index.mjs', exported(INDEX, '#index'));
  for (const [entry, { of, names }] of Object.entries(ENTRIES)) {
    write(`${entry}.cjs`, renamed(names, of));
    write(`${entry}.mjs`, exported(names, `#${of}`));
    // In one module of each, both builds that a custom host may need.
    if (entry === 'operation') {
      for (const form of ['bundle', 'portable']) {
        const taken = `import { runOn } from './${form}.mjs';\nimport * as deferred from './deferred.${form}.mjs';\n`;
        const run = '(request, perform) => runOn(() => deferred, request, perform);\n';
        if (isChosen(['deferred'])) write(`${entry}.${form}.mjs`, `${taken}export const runOperation = ${run}`);
      }
    }
  }
  write('parts.deno.mjs', PARTS_ON_DENO);
  write('hook.source.mjs', "import source wasm from './hook.wasm';\nexport default wasm;\n");
}

/** The entries of the package of JSR, which has no earlier name, with their names. */
function jsrEntries() {
  const { sessions: _, ...named } = ENTRIES;
  return { index: INDEX, ...Object.fromEntries(Object.entries(named).map(([entry, { names }]) => [entry, names])) };
}

/**
 * @param {string[]} names
 * @param {string} file
 */
function exported(names, file) {
  return `export { ${names.join(', ')} } from '${file}';\n`;
}
