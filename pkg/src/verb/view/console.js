// The output of `view` and `export`.

import { print } from '../../host/node/system.js';
import { escapedJson, visible } from '../../base/visible.js';

export class Console {
  #isJson;
  #isQuiet;
  #withoutSecrets;

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
    if (kind === 'warning' && this.#isQuiet) return;
    const lead = kind === 'warning' ? 'milepost: warning: ' : 'milepost: ';
    const message = this.#withoutSecrets(content.message);
    const lines = message.split('\n').map(visible).join('\n');
    write(2, this.#isJson ? json({ [kind]: { ...content, message } }) : `${lead}${lines}\n`);
  }

  /**
   * The answer, for programs or for people.
   *
   * @param {object} data
   * @param {string} text
   */
  answer(data, text) {
    write(1, this.#isJson ? json(data) : `${visible(text)}\n`);
  }

  /** @param {string} text a sentence, left out where silence or data was asked for */
  note(text) {
    if (!this.#isJson && !this.#isQuiet) write(2, `${visible(text)}\n`);
  }
}

/**
 * A line of JSON that is harmless on a terminal, too.
 *
 * @param {object} value
 */
function json(value) {
  return `${escapedJson(JSON.stringify(value))}\n`;
}

/**
 * @param {number} stream
 * @param {string | Uint8Array} content
 */
export function write(stream, content) {
  try {
    print(stream, typeof content === 'string' ? Buffer.from(content) : content);
  } catch (error) {
    // A reader that stopped has what it wanted.
    if (/** @type {any} */ (error)?.code !== 'EPIPE') throw error;
  }
}
