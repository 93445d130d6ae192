// An incoming webhook of Slack.

import { IncomingWebhook } from '@slack/webhook';
import { details, place, title } from './message.js';
import { outcomeOf } from './outcome.js';
import { post } from './request.js';

/** The longest text of a section. */
const MAX_TEXT = 3000;
/** With them `<!channel>` would call everybody. */
const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });
const CUT = '…';

/**
 * @param {import('./message.js').Notice} notice
 * @param {{url: URL}} receiver
 * @param {import('./request.js').Way} way
 * @returns {Promise<import('./outcome.js').Outcome>}
 */
export async function send(notice, { url }, way) {
  /** @type {import('./request.js').Answer | undefined} */
  let answer;
  const webhook = new IncomingWebhook(url.href, {
    // The guard of addresses, and the headers of the answer, which an error of the package has not.
    fetch: async (to, { headers, body }) => {
      answer = await post(new URL(to), /** @type {Record<string, string>} */ (headers), String(body), way);
      const { status, text } = answer;
      const isOk = status >= 200 && status < 300;
      return /** @type {any} */ ({ ok: isOk, status, statusText: '', text: async () => text });
    },
  });
  try {
    await webhook.send(message(notice));
  } catch (error) {
    // The package wraps what kept the answer away.
    if (answer === undefined) throw /** @type {any} */ (error)?.cause ?? error;
  }
  if (answer === undefined) throw new Error('nothing was sent');
  return outcomeOf(answer, Date.now());
}

/**
 * Returns the message to post: a section, and a line for notifications and for screen readers.
 *
 * @param {import('./message.js').Notice} notice
 */
export function message(notice) {
  const text = [title(notice), details(notice), place(notice)].filter((part) => part).join('\n');
  return {
    text: escaped(title(notice)),
    blocks: [
      {
        type: /** @type {const} */ ('section'),
        // Verbatim: no name becomes a channel, and no address a link.
        text: { type: /** @type {const} */ ('mrkdwn'), text: escaped(text), verbatim: true },
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/**
 * A text with what Slack acts on escaped, cut where it would be too long.
 *
 * @param {string} text
 */
function escaped(text) {
  let shown = '';
  for (const character of text) {
    const next = ESCAPES[character] ?? character;
    if (shown.length + next.length > MAX_TEXT - CUT.length) return shown + CUT;
    shown += next;
  }
  return shown;
}
