// The thread that looks, as the server sees it.

import { Thread } from '../thread.js';

/** @typedef {import('./tree.js').Header} Header */

export class Reader {
  #thread;

  /**
   * @param {string} file of the thread
   * @param {{place: object, program?: string, version: string, store?: object}} data
   * @param {(changes: Header[]) => void} [onChanges]
   * @param {() => void} [onEnd] the thread ended by itself
   */
  constructor(file, data, onChanges = () => {}, onEnd = () => {}) {
    const onMessage = (/** @type {{changes: Header[]}} */ { changes }) => onChanges(changes);
    this.#thread = new Thread(file, { ...data, isReader: true }, { says: 'The thread that reads files has ended', onEnd, onMessage });
  }

  /** True if it can be asked. */
  get isThere() {
    return this.#thread.isThere;
  }

  /**
   * @param {string} what
   * @param {object} [members]
   * @returns {Promise<any>}
   */
  ask(what, members = {}) {
    return this.#thread.ask({ ask: what, ...members }).answer;
  }

  /**
   * Resolves to the pieces, each read when the one before it was taken; `null` where it knows nothing of the kind.
   *
   * @param {string} what
   * @param {object} [members]
   * @returns {Promise<AsyncGenerator<Uint8Array, void> | null>}
   */
  async stream(what, members = {}) {
    const { id, answer } = this.#thread.ask({ ask: what, ...members });
    return (await answer) ? this.#pieces(id) : null;
  }

  /** @param {number} stream */
  async *#pieces(stream) {
    try {
      // The next one is read while this one is on its way.
      let next = this.ask('next', { stream });
      for (;;) {
        const piece = await next;
        if (piece === null) return;
        next = this.ask('next', { stream });
        // A caller that stops here leaves one that is not awaited.
        next.catch(() => {});
        yield piece;
      }
    } finally {
      if (this.isThere) await this.ask('end', { stream });
    }
  }

  end() {
    return this.#thread.end('The thread that reads files was ended');
  }
}
