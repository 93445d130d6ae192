// Wasm out of a text: packed by deflate, since base64 hides from gzip what repeats.

import { inflateSync } from 'fflate';
import { fromBase64 } from './base64.js';

/**
 * @param {string} text base64 of raw deflate
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const inflated = (text) => inflateSync(fromBase64(text));
