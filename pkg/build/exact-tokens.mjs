// The package `milepost-exact-tokens`: what counts, in each form that it has, the vocabularies, and its papers.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { MODULES, ON_DENO, bundle, named, parts } from './bundle.mjs';
import { writeLicenceOfRanks } from './licences.mjs';
import { exactTokens, source, vocabularies } from './paths.mjs';
import { writeTypesOf } from './types.mjs';
import { VOCABULARY_IMPORTED, VOCABULARY_ON_DENO, vocabularyFile, wasmInText, wasmInlined, writeInlined } from './wasm.mjs';

const BUILD = 'exact-tokens';

const VOCABULARIES = ['o200k', 'cl100k'];

/** The members that the manifests of both packages have alike. */
const SHARED = ['version', 'license', 'author', 'homepage', 'bugs', 'publishConfig', 'type', 'engines'];

/**
 * Bundles the package. Each form has a copy of the class of errors, so that it needs nothing of the other package.
 *
 * @param {string[]} names of its entry
 */
export async function exactTokensPackage(names) {
  const dist = path.join(exactTokens, 'dist');
  fs.mkdirSync(dist, { recursive: true });
  const inCommonJs = { format: 'cjs', external: MODULES.external, ...named(names) };
  const [beside, inlined] = [wasmInText(BUILD), wasmInlined(BUILD)];
  for (const { to, host, wasm, vocabulary, options } of /** @type {const} */ ([
    { to: 'cjs', host: 'node', wasm: beside, vocabulary: vocabularyFile(), options: inCommonJs },
    { to: 'deno.mjs', host: 'deno', wasm: inlined, vocabulary: VOCABULARY_ON_DENO, options: ON_DENO },
    { to: 'portable.mjs', host: 'none', wasm: inlined, vocabulary: VOCABULARY_IMPORTED, options: MODULES },
  ])) {
    await bundle({
      entryPoints: [path.join(source, 'src/entry/exact-tokens.js')],
      outfile: path.join(dist, `index.${to}`),
      ...options,
      plugins: [parts(BUILD, host, { wasm, vocabulary })],
    });
  }
  await writeInlined([BUILD], dist);
  for (const name of VOCABULARIES) {
    // A module of its own for each, so that only the requested one is downloaded; it is read as a file, too.
    const text = fs.readFileSync(path.join(vocabularies, `${name}.vocabulary`), 'base64');
    fs.writeFileSync(path.join(dist, `${name}.vocabulary.mjs`), `export default '${text}';\n`);
  }
  writeTypesOf(BUILD, path.join(dist, 'index'));
  writeLicenceOfRanks(exactTokens);
  writeManifest();
}

/** Writes its manifest, which has what that of `milepost` says of both. */
function writeManifest() {
  const from = path.join(source, 'exact-tokens');
  const all = manifestIn(source);
  const shared = Object.fromEntries(SHARED.map((name) => [name, all[name]]));
  const repository = { ...all.repository, directory: 'pkg/exact-tokens' };
  const text = JSON.stringify({ ...manifestIn(from), ...shared, repository }, null, 2);
  fs.writeFileSync(path.join(exactTokens, 'package.json'), `${text}\n`);
  fs.copyFileSync(path.join(from, 'README.md'), path.join(exactTokens, 'README.md'));
}

/** @param {string} folder */
function manifestIn(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
