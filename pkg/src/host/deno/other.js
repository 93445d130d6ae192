// Node's adapter, for what this one leaves to it. It is loaded with the first such effect.

import * as ffi from '../../wasm/ffi.js';
import { required } from './required.js';
import { deno } from './system.js';

/** True if this adapter knows the errors, paths and modes of the system. */
export const IS_NATIVE = ['linux', 'darwin'].includes(deno.build.os);

/** @type {any} */
let node;

/** @returns {typeof import('../node-host.js')} */
export function nodeHost() {
  return (node ??= required('./node-host.cjs'));
}

/**
 * Performs an effect by Node's adapter, whose `ffi.js` is its own copy on the same instance.
 *
 * @type {ffi.Perform}
 */
export function byNode(...effect) {
  const { perform, through } = nodeHost();
  return through(ffi.instance(), perform, () => perform(...effect));
}
