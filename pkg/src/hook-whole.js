// What the wasm of hooks leaves out, for the hook of coding agents: the same operation, with session checkpoints.

import { perform } from 'milepost:host';
import * as instance from './instance.js';

/**
 * @param {string} request JSON text
 * @returns {string} JSON text
 */
export const run = (request) => instance.run(request, perform);
