// The output: for people, or as JSON lines.

import { print } from '../../host/node/system.js';
import { escapedJson, visible } from '../../base/visible.js';
import { title } from './message.js';

/** @typedef {import('./message.js').Notice} Notice */

/**
 * The end of a delivery.
 *
 * @typedef {object} Ended
 * @property {string} endpoint
 * @property {Notice} notice
 * @property {number} attempt
 * @property {'delivered' | 'again' | 'given_up' | 'disabled' | 'superseded'} fate
 * @property {string | null} why
 * @property {string | null} next_at
 */

export class Console {
  #isJson;
  #isQuiet;
  #withoutSecrets;
  /** @type {Set<string>} what was said: while watching, it is not repeated every two seconds */
  #said = new Set();

  /**
   * @param {{json: boolean, quiet: boolean}} options
   * @param {import('../../base/messages.js').SecretFilter} host
   */
  constructor({ json, quiet }, { withoutSecrets }) {
    this.#isJson = json;
    this.#isQuiet = quiet;
    this.#withoutSecrets = withoutSecrets;
  }

  /**
   * @param {'error' | 'warning'} kind
   * @param {{message: string, [member: string]: any}} content
   */
  say(kind, content) {
    const message = this.#withoutSecrets(content.message);
    const text = this.#isJson ? json({ [kind]: { ...content, message } }) : this.#line(kind, message);
    if ((kind === 'warning' && this.#isQuiet) || this.#said.has(text)) return;
    this.#said.add(text);
    write(2, `${text}\n`);
  }

  /**
   * @param {'error' | 'warning'} kind
   * @param {string} message
   */
  #line(kind, message) {
    const lines = message.split('\n').map(visible).join('\n');
    return kind === 'error' ? `milepost: ${lines}` : `milepost: warning: ${lines}`;
  }

  /** @param {Ended} ended */
  ended({ endpoint, notice, attempt, fate, why: reason, next_at }) {
    const why = reason === null ? null : this.#withoutSecrets(reason);
    if (this.#isJson) {
      const { id, type } = notice;
      return write(1, `${json({ endpoint, id, type, attempt, fate, why, next_at })}\n`);
    }
    const said = `${endpoint}: ${title(notice)}`;
    if (fate === 'delivered') {
      if (!this.#isQuiet) write(1, `sent  ${visible(said)}\n`);
      return;
    }
    const then = {
      again: `attempt ${attempt} failed, and the next one is at ${next_at}`,
      given_up: `attempt ${attempt} failed, and it is given up`,
      disabled: 'nothing is sent there until its settings or its URL change',
      superseded: 'another process has sent it, or sends it now',
    }[fate];
    write(2, `milepost: ${visible(`${this.#withoutSecrets(said)}: ${why === null ? '' : `${why}; `}${then}`)}\n`);
  }

  /** @param {string} text a sentence for people, left out where silence was asked for */
  note(text) {
    if (!this.#isJson && !this.#isQuiet) write(1, `${visible(text)}\n`);
  }

  /**
   * Prints a dry run: each notice that would be sent, and the number of those that would still wait.
   *
   * @param {{endpoint: string, shown: string, issue: string | null, attempt: number, notice: Notice}[]} due
   * @param {{waiting: number, next_at: string | null}} left
   */
  preview(due, { waiting, next_at }) {
    if (this.#isJson) {
      const items = due.map(({ notice: { id, ...payload }, ...more }) => ({ ...more, id, payload }));
      return write(1, `${json(items, 2)}\n`);
    }
    const lines = due.map(({ endpoint, shown, issue, attempt, notice }) => {
      const when = attempt === 1 ? '' : ` (attempt ${attempt})`;
      const where = issue === null ? shown : `${shown} ${issue}`;
      return `${endpoint} ${where}${when}\n  ${notice.id} ${notice.type}\n  ${title(notice)}`;
    });
    const shown = lines.flatMap((line) => line.split('\n')).map(visible);
    if (due.length === 0) shown.push('Nothing is to be sent now');
    if (waiting > 0) shown.push(`${waiting} ${waiting === 1 ? 'notice waits' : 'notices wait'}, the next one until ${next_at}`);
    write(1, `${shown.join('\n')}\n`);
  }
}

/**
 * JSON that is harmless on a terminal, too.
 *
 * @param {object} value
 * @param {number} [indent]
 */
function json(value, indent) {
  return escapedJson(JSON.stringify(value, null, indent));
}

/**
 * @param {number} stream
 * @param {string} text
 */
function write(stream, text) {
  try {
    print(stream, Buffer.from(text));
  } catch (error) {
    // A reader that stopped has what it wanted.
    if (/** @type {any} */ (error)?.code !== 'EPIPE') throw error;
  }
}
