// The parts that the hook of coding agents loads where it needs more: the operation that the wasm of hooks leaves out,
// with session checkpoints, and the escaping that makes a text visible.

import { perform } from 'milepost:host';
import * as instance from './instance.js';

/**
 * @param {string} request JSON text
 * @returns {string} JSON text
 */
export const run = (request) => instance.run(request, perform);

export { visible } from './visible.js';
