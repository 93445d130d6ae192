// The licences of what is bundled of others.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { bundled } from './bundle.mjs';
import { list, source, tools } from './paths.mjs';

const FILE = 'LICENSES-BUNDLED.txt';
/** The package that has the ranks, for `vocabulary.mjs`. */
const RANKS = 'js-tiktoken';
const RULE = `\n${'-'.repeat(80)}\n\n`;
const MODULES = `${path.sep}node_modules${path.sep}`;

/**
 * Writes the file with the name, the version and the licence of each package that a bundle has a part of.
 *
 * @param {string} folder
 * @param {{ranks: boolean}} has whether the vocabularies are there as well
 */
export function writeLicences(folder, { ranks }) {
  const packages = new Set([...bundled].map(packageOf).filter((folder) => folder !== undefined));
  const texts = [...[...packages].sort().map(licenceOf), ...(ranks ? [licenceOfRanks()] : [])];
  const opening = [
    'Milepost is licensed under MIT OR Apache-2.0. It has parts of these packages of npm in it, and of the crates\n',
    'below them:\n',
  ].join('');
  fs.writeFileSync(path.join(folder, FILE), [opening, ...texts].join(RULE));
}

/**
 * Writes that file for the vocabularies alone.
 *
 * @param {string} folder
 */
export function writeLicenceOfRanks(folder) {
  const opening = 'Milepost is licensed under MIT OR Apache-2.0. This package has this of others in it:\n';
  fs.writeFileSync(path.join(folder, FILE), [opening, licenceOfRanks()].join(RULE));
}

/**
 * Writes the names of the packages that the bundles have parts of, for each package of npm that they are in, where that
 * is asked for.
 */
export function writeList() {
  if (list === undefined) return;
  const folders = [...bundled].map(packageOf).filter((folder) => folder !== undefined);
  const names = new Set(folders.map((folder) => manifestOf(folder).name));
  fs.writeFileSync(list, JSON.stringify({ milepost: [...names].sort(), 'milepost-exact-tokens': [RANKS] }));
}

/** Of what the vocabularies are made of: OpenAI's ranks, whose digests are those in tiktoken's source. */
function licenceOfRanks() {
  const { version, license } = manifestOf(path.join(tools, 'node_modules', RANKS));
  const text = fs.readFileSync(kept('tiktoken'), 'utf8').trim();
  return `the ranks of tiktoken, in the vocabularies of exact token counts, as ${RANKS} ${version} has them, ${license}\n\n${text}\n`;
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/**
 * The folder of the package that a file belongs to, if it is of another one than this.
 *
 * @param {string} file
 * @returns {string | undefined}
 */
function packageOf(file) {
  const at = file.lastIndexOf(MODULES);
  if (at === -1) return undefined;
  const start = at + MODULES.length;
  const [scope, name] = file.slice(start).split(path.sep);
  return file.slice(0, start) + (scope.startsWith('@') ? path.join(scope, name) : scope);
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = manifestOf(folder);
  const own = fs.readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const file = own === undefined ? kept(name) : path.join(folder, own);
  if (!fs.existsSync(file)) throw new Error(`${name} ${version} has no file with its licence, ${license}: put it into ${file}`);
  const text = fs.readFileSync(file, 'utf8').trim();
  return `${name} ${version}, ${license}\n\n${text}\n`;
}

/**
 * The licence of a package that has it in its repository alone.
 *
 * @param {string} name
 */
function kept(name) {
  return path.join(source, 'build/licences', `${name.replaceAll('/', '-')}.txt`);
}
