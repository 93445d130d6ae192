// The thread that looks, as the server sees it.

import threads from 'node:worker_threads';

/** @typedef {import('./tree.js').Header} Header */

/** A refusal of the thread. */
export class Refused extends Error {
  /** @param {{code: string, message: string}} error */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

export class Reader {
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void}>} */
  #waiting = new Map();
  #count = 0;
  #thread;
  /** @type {unknown} why there is no thread any more */
  #failure;

  /**
   * @param {string} file of the thread
   * @param {{place: object, program?: string, version: string, store?: object}} data
   * @param {(changes: Header[]) => void} [onChanges]
   * @param {() => void} [onEnd] the thread ended by itself
   */
  constructor(file, data, onChanges = () => {}, onEnd = () => {}) {
    this.#thread = new threads.Worker(file, { workerData: data });
    this.#thread.on('message', ({ id, value, error, changes }) => {
      if (changes !== undefined) return onChanges(changes);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Refused(error));
    });
    /** @param {unknown} error */
    const end = (error) => {
      if (this.#failure !== undefined) return;
      this.#failure = error;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      onEnd();
    };
    this.#thread.on('error', end);
    this.#thread.on('exit', () => end(new Error('The thread that reads files has ended')));
  }

  /** True if it can be asked. */
  get isThere() {
    return this.#failure === undefined;
  }

  /**
   * @param {string} what
   * @param {object} [members]
   * @returns {Promise<any>}
   */
  ask(what, members = {}) {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return this.#send(what, members).answer;
  }

  /**
   * Resolves to the pieces, each read when the one before it was taken; `null` where it knows nothing of the kind.
   *
   * @param {string} what
   * @param {object} [members]
   * @returns {Promise<AsyncGenerator<Uint8Array, void> | null>}
   */
  async stream(what, members = {}) {
    if (this.#failure !== undefined) throw this.#failure;
    const { id, answer } = this.#send(what, members);
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

  /**
   * @param {string} ask
   * @param {object} members
   */
  #send(ask, members) {
    const id = this.#count++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#thread.postMessage({ id, ask, ...members });
    return { id, answer };
  }

  async end() {
    this.#failure ??= new Error('The thread that reads files was ended');
    await this.#thread.terminate();
  }
}
