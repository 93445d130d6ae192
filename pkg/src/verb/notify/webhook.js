// A receiver of Standard Webhooks 1.0.

import { Webhook } from 'standardwebhooks';
import { outcomeOf } from './outcome.js';
import { post } from './request.js';

/** The least length of a secret, by the standard. */
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** @typedef {{url: URL, signer: Webhook}} Receiver */

/**
 * Returns the signer of messages with a secret.
 *
 * @param {string} secret as the environment has it
 * @param {string} variable that holds it
 */
export function signer(secret, variable) {
  const expected = `Expected the environment variable ${variable} to hold \`whsec_\` and the base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes`;
  /** @type {Webhook} */
  let signer;
  try {
    signer = new Webhook(secret);
  } catch {
    // The cause, which may quote the secret, is not repeated.
    throw new Error(expected);
  }
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length;
  if (bytes < LEAST_BYTES || bytes > MOST_BYTES) throw new Error(`${expected}, and not of ${bytes}`);
  return signer;
}

/**
 * @param {import('./message.js').Notice} notice
 * @param {Receiver} receiver
 * @param {import('./request.js').Way} way
 * @returns {Promise<import('./outcome.js').Outcome>}
 */
export async function send({ id, ...payload }, { url, signer }, way) {
  const body = JSON.stringify(payload);
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'milepost',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signer.sign(id, now, body),
  };
  return outcomeOf(await post(url, headers, body, way), now.getTime());
}
