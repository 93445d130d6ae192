// Comments on an issue of Linear, by its GraphQL API. The state of an issue is not touched here.

import { details, place, title } from './message.js';
import { DELIVERED, failed, outcomeOf, retryAfter } from './outcome.js';
import { post } from './request.js';

/** Linear's own API. */
export const API = 'https://api.linear.app/graphql';

const COMMENT = 'query($id: String!) { comment(id: $id) { id } }';
const CREATE = 'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';

/** The code of too many requests in GraphQL's `extensions.code`; the status of that answer is 400. */
const LIMITED = 'RATELIMITED';

/** Characters that Markdown acts on. */
const MARKDOWN = /[\\`*_{}[\]()<>#+!|~@-]/g;

/** @typedef {{url: URL, key: string}} Receiver */

/**
 * @param {import('./message.js').Notice} notice
 * @param {Receiver & {issue: string, attempt: number}} receiver
 * @param {import('./request.js').Way} way
 * @returns {Promise<import('./outcome.js').Outcome>}
 */
export async function send(notice, { url, key, issue, attempt }, way) {
  const ask = async (/** @type {string} */ query, /** @type {object} */ variables) => {
    const headers = { 'content-type': 'application/json', authorization: key };
    return post(url, headers, JSON.stringify({ query, variables }), way);
  };
  const id = uuid(notice.id);
  // One attempt may have come through whose answer did not.
  if (attempt > 1 && parsed(await ask(COMMENT, { id })).data?.comment?.id === id) return DELIVERED;
  const input = { id, issueId: issue, body: body(notice) };
  return judged(await ask(CREATE, { input }));
}

/**
 * @param {import('./request.js').Answer} answer
 * @returns {import('./outcome.js').Outcome}
 */
function judged(answer) {
  const { errors, data } = parsed(answer);
  const now = Date.now();
  const [error] = Array.isArray(errors) ? errors : [];
  if (error?.extensions?.code === LIMITED) {
    return failed('it answered that there were too many requests', wait(answer.headers, now));
  }
  const outcome = outcomeOf(answer, now);
  if (outcome.outcome !== 'delivered') return outcome;
  if (error !== undefined) return failed(`it answered with an error: ${error.message ?? 'without a message'}`);
  return data?.commentCreate?.success === true ? DELIVERED : failed('it did not say that the comment was made');
}

/**
 * Returns the time that Linear asks to wait: until its limit of requests starts again, if it says no more.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {number} now
 */
function wait(headers, now) {
  const reset = Number(headers['x-ratelimit-requests-reset']);
  return retryAfter(headers['retry-after'], now) ?? (reset > now ? reset - now : undefined);
}

/**
 * @param {import('./request.js').Answer} answer
 * @returns {any}
 */
function parsed({ text }) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * The id of the comment: that of the notice as a UUID, so that it is made once.
 *
 * @param {string} id
 */
function uuid(id) {
  const digits = id.replace(/^msg_/, '');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}

/**
 * Markdown. The user's text stands unchanged: nothing in it becomes a picture, a link or a mention.
 *
 * @param {import('./message.js').Notice} notice
 */
export function body(notice) {
  const escaped = (/** @type {string} */ text) => text.replace(MARKDOWN, '\\$&');
  const text = details(notice);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const quoted = text === '' ? '' : `\n\n${fence}\n${text}\n${fence}`;
  return `${title(notice, escaped)}${quoted}\n\n${escaped(place(notice))}`;
}
