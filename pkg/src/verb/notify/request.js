// One request: no redirect is followed, no address reached that is not allowed, and no answer read for longer or
// further than it is worth.

import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { expectReachable, lookup } from './address.js';

/** So much of an answer is looked at: what services say fits many times. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * @typedef {object} Way how requests are made
 * @property {number} timeoutMs
 * @property {boolean} allowsPrivate addresses of private networks
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text the beginning of it
 */

/**
 * Posts a text.
 *
 * @param {URL} url
 * @param {Record<string, string>} headers
 * @param {string} body
 * @param {Way} way
 * @returns {Promise<Answer>}
 */
export function post(url, headers, body, { timeoutMs, allowsPrivate }) {
  return new Promise((resolve, reject) => {
    const { protocol } = url;
    const way = { protocol, allowsPrivate };
    // A name that is an address is not looked up.
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (net.isIP(literal) !== 0) expectReachable(literal, way);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = (protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      // One connection for each, so that each is looked up and checked.
      agent: false,
      lookup: lookup(way),
      signal,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    });
    const fail = (/** @type {Error} */ error) => {
      reject(signal.aborted ? new Error(`there was no answer within ${timeoutMs} ms`) : error);
    };
    request.on('error', fail);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      /** @type {Buffer[]} */
      const parts = [];
      let length = 0;
      const end = () => resolve({ status, headers, text: Buffer.concat(parts).toString() });
      response.on('data', (part) => {
        parts.push(part);
        length += part.length;
        if (length > MAX_ANSWER_BYTES) {
          end();
          request.destroy();
        }
      });
      response.on('end', end);
      response.on('error', fail);
    });
    request.end(body);
  });
}
