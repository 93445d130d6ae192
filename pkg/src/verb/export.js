// `milepost export`: checkpoints in one page that can be handed on.

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import { codeOf } from '../host/node/fault.js';
import { Core, EXIT, Refusal } from '../client/operations.js';
import { Collection } from './view/collect.js';
import { Console, write } from './view/console.js';
import { makeMirror, placeOf, removeMirror } from './view/mirror.js';
import { isExport, pageOf } from './view/page.js';
import { leave, onSignal } from './view/signals.js';

/** @typedef {import('../base/messages.js').SecretFilter} SecretFilter */
/**
 * @typedef {object} Options
 * @property {boolean} json
 * @property {boolean} quiet
 * @property {{command: string, feature: string | null}[]} checkpoints none for everything
 * @property {string | null} file `null` for standard output
 * @property {string} shown the file as the caller named it
 * @property {boolean} redact
 */

const KIB = 1024;

/**
 * Writes the page.
 *
 * @param {any} options of the verb; see {@link Options}
 * @param {import('../client/operations.js').Host & SecretFilter & {store?: import('../host/database/reach.js').Named}} host
 * @returns {Promise<number>} the exit code
 */
export async function run(options, host) {
  const { checkpoints, file, shown, redact } = /** @type {Options} */ (options);
  const out = new Console(options, host);
  const core = new Core(host, (warning) => out.say('warning', warning));
  if (host.store !== undefined) onSignal(leave);
  const mirror = host.store === undefined ? null : makeMirror();
  const place = mirror === null ? host.place : placeOf(host.place, mirror);
  try {
    if (file !== null) expectReplaceable(file, shown);
    if (mirror !== null) core.ask('sources', { mirror });
    const sources = core.ask('sources', { checkpoints }, place);
    const hide = (/** @type {string} */ name, /** @type {string} */ text) => core.ask('redact_file', { name, text }, null);
    const since = core.ask('since_recorded', {}, place);
    const collection = new Collection(sources, since, { version, program: host.program, checkpoints }, redact ? hide : null);
    const page = await pageOf(path.join(__dirname, 'viewer'), collection.frames(), host.program);
    if (file === null) write(1, page);
    else replace(file, page);
    // Standard output has the page.
    if (file !== null) report(out, shown, page.length, collection, redact);
    return EXIT.done;
  } catch (error) {
    if (error instanceof Refusal) {
      out.say('error', { ...error.error, message: error.message });
      return error.exit;
    }
    if (codeOf(error) === '') throw error;
    out.say('error', { code: 'io', message: `Cannot write ${shown}: ${codeOf(error)}` });
    return EXIT.io;
  } finally {
    if (mirror !== null) removeMirror(mirror);
  }
}

/**
 * @param {Console} out
 * @param {string} file
 * @param {number} bytes
 * @param {Collection} collection
 * @param {boolean} isRedacted
 */
function report(out, file, bytes, { checkpoints, secrets }, isRedacted) {
  const count = (/** @type {number} */ number, /** @type {string} */ what) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const hidden = isRedacted ? `; ${count(secrets, 'secret')} taken out` : '';
  const text = `${file}: ${count(checkpoints, 'checkpoint')}, ${Math.ceil(bytes / KIB)} KB${hidden}`;
  out.answer({ file, bytes, checkpoints, secrets: isRedacted ? secrets : null }, text);
}

/**
 * Refuses a place where there is no folder, and to replace what is no such page.
 *
 * @param {string} file
 * @param {string} shown
 */
function expectReplaceable(file, shown) {
  if (!fs.statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    const message = `Cannot write ${shown}: there is no folder ${path.dirname(shown)}; make it, or name another file`;
    throw new Refusal({ code: 'io', message });
  }
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && isExport(file))) return;
  const message = `${shown} is there, and is no exported page: name another file, or remove it`;
  throw new Refusal({ code: 'usage', message });
}

/**
 * Replaces the page: a reader of the file has the old page or the new one.
 *
 * @param {string} file
 * @param {Buffer} page
 */
function replace(file, page) {
  const prepared = path.join(path.dirname(file), `.${path.basename(file)}.${crypto.randomBytes(4).toString('hex')}`);
  try {
    fs.writeFileSync(prepared, page, { flag: 'wx' });
    fs.renameSync(prepared, file);
  } finally {
    fs.rmSync(prepared, { force: true });
  }
}
