// The receivers: the settings name them, and the environment holds their addresses and secrets.

import crypto from 'node:crypto';
import { messageOf } from '../../base/brand.js';
import * as linear from './linear.js';
import * as slack from './slack.js';
import * as webhook from './webhook.js';

/**
 * @typedef {object} Named an endpoint, as the settings have it
 * @property {string} id
 * @property {'webhook' | 'slack' | 'linear'} service
 * @property {string | null} url_env
 * @property {string | null} secret_env
 * @property {string | null} api_key_env
 */

/**
 * @typedef {object} Endpoint
 * @property {string} id
 * @property {string} shown where it is, without what may be secret in it
 * @property {string} fingerprint of what its variables hold
 * @property {(notice: import('./message.js').Notice, due: {issue: string | null, attempt: number}, way: import('./request.js').Way) => Promise<import('./outcome.js').Outcome>} send
 */

/** @typedef {Record<string, string | undefined>} Environment */

/** The environment lacks a variable, or has one that it should not. */
export class Misconfigured extends Error {}

/**
 * An endpoint with what its variables hold.
 *
 * @param {Named} named
 * @param {Environment} environment
 * @param {boolean} allowsPrivate addresses of private networks
 * @returns {Endpoint}
 * @throws {Misconfigured}
 */
export function endpoint({ id, service, url_env, secret_env, api_key_env }, environment, allowsPrivate) {
  const held = (/** @type {string | null} */ variable, /** @type {string} */ what) => {
    const value = variable === null ? '' : (environment[variable] ?? '').trim();
    if (value !== '') return value;
    throw new Misconfigured(`The environment variable ${variable} is not set: expected ${what} in it`);
  };
  const url = urlOf(url_env === null ? linear.API : held(url_env, 'a URL'), url_env, allowsPrivate);
  const shown = `${url.protocol}//${url.host}/…`;
  const values = [url.href];
  /** @type {Endpoint['send']} */
  let send;
  switch (service) {
    case 'webhook': {
      const secret = held(secret_env, 'the secret with which messages are signed');
      values.push(secret);
      const signer = signerOf(secret, String(secret_env));
      send = (notice, _, way) => webhook.send(notice, { url, signer }, way);
      break;
    }
    case 'slack':
      send = (notice, _, way) => slack.send(notice, { url }, way);
      break;
    case 'linear': {
      const key = held(api_key_env, 'a personal API key');
      values.push(key);
      send = (notice, { issue, attempt }, way) =>
        linear.send(notice, { url, key, issue: String(issue), attempt }, way);
    }
  }
  const fingerprint = crypto.createHash('sha256').update(values.join('\0')).digest('hex');
  return { id, shown, fingerprint, send };
}

/**
 * @param {string} value
 * @param {string | null} variable
 * @param {boolean} allowsPrivate
 */
function urlOf(value, variable, allowsPrivate) {
  const expected = `Expected the environment variable ${variable} to hold a URL that begins with https://`;
  if (!URL.canParse(value)) throw new Misconfigured(expected);
  const url = new URL(value);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && allowsPrivate)) return url;
  throw new Misconfigured(
    `${expected}, and not with ${url.protocol}//; with \`allow_private_addresses\`, http:// reaches private networks`,
  );
}

/**
 * @param {string} secret
 * @param {string} variable
 */
function signerOf(secret, variable) {
  try {
    return webhook.signer(secret, variable);
  } catch (error) {
    throw new Misconfigured(messageOf(error));
  }
}
