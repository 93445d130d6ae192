// One operation, from request to result.

import { messageOf } from '../base/brand.js';
import { MilepostError } from '../base/error.js';
import { UNABLE, noHost, run } from '../wasm/instance.js';
import * as wire from '../wasm/wire.js';
import { fromReply, fromWarning } from './reply.js';

/** Operations that the wasm of hooks has. */
const OF_HOOKS = new Set(['load', 'save', 'update_phase', 'complete', 'resume_point', 'latest']);

/**
 * A request of more UTF-16 units is for the library immediately: one that has to begin again there, as a
 * merge, would be read twice, and next to reading it the larger wasm costs nothing.
 */
const LONG = 1_000_000;

/** Operations that only the wasm of the command line has. */
const OF_CLI = new Set(['init', 'doctor', 'list_prompts', 'rewind']);

/**
 * The host that performs effects, its place, and, where there are files, what runs the operations of
 * hooks, and those that only the wasm of the command line has.
 *
 * @typedef {Pick<typeof import('milepost:host'), 'perform' | 'place'> & {
 *   hook?: (request: string) => string,
 *   cli?: () => (request: string) => string,
 * }} Host
 */

/** @typedef {import('../../types/index.js').Warning} Warning */

/**
 * Runs one operation and returns its value, and what it noticed on the way.
 *
 * @param {Pick<Host, 'perform' | 'hook' | 'cli'>} host
 * @param {string} operation
 * @param {string} request JSON text
 * @param {(warning: Warning) => void} [onWarning]
 * @param {import('./reply.js').Named} [named]
 * @param {Uint8Array[]} [behind] bytes of text that come behind the request
 * @returns {any} the value, as the operation defines it
 * @throws {MilepostError}
 */
export function operate(host, operation, request, onWarning = () => {}, named, behind) {
  return valueOf(runBy(host, operation, request, behind), onWarning, named);
}

/**
 * Returns the value of a reply.
 *
 * @param {string} text of the reply
 * @param {(warning: Warning) => void} onWarning
 * @param {import('./reply.js').Named} [named]
 * @returns {any} the value, as the operation defines it
 * @throws {MilepostError}
 */
export function valueOf(text, onWarning, named) {
  const fail = (/** @type {any} */ error) => fromReply(error, named);
  return wire.valueOf(text, fail, (warning) => onWarning(fromWarning(warning, named)));
}

/**
 * Runs a rule, which asks for no effect, and returns its value.
 *
 * @param {string} operation
 * @param {string} members its arguments, as members of JSON text
 * @param {string} [text] the argument `text`, if it has one
 * @param {(warning: Warning) => void} [onWarning]
 * @returns {any}
 * @throws {MilepostError}
 */
export function decide(operation, members, text, onWarning) {
  return operate({ perform: noHost }, operation, wire.requestOf(operation, null, members, text), onWarning);
}

/**
 * @param {Pick<Host, 'perform' | 'hook' | 'cli'>} host
 * @param {string} operation
 * @param {string} request
 * @param {Uint8Array[]} [behind]
 */
function runBy({ perform, hook, cli }, operation, request, behind) {
  try {
    if (OF_CLI.has(operation)) return ofCli(operation, cli)(request);
    const isOfHooks = OF_HOOKS.has(operation) && request.length <= LONG;
    return hook !== undefined && isOfHooks ? hook(request) : run(request, perform, behind);
  } catch (cause) {
    throw failureOf(cause);
  }
}

/**
 * Returns the error of a failed operation: a host that cannot run the wasm is an error as any other of a store.
 *
 * @param {unknown} cause
 */
export function failureOf(cause) {
  if (/** @type {any} */ (cause)?.name !== UNABLE) return cause;
  return new MilepostError('io', messageOf(cause), { cause });
}

/**
 * @param {string} operation
 * @param {Host['cli']} cli
 */
function ofCli(operation, cli) {
  if (cli !== undefined) return cli();
  throw new MilepostError('usage', `\`${operation}\` is there for files on a disk, on Node, Deno and Bun`);
}
