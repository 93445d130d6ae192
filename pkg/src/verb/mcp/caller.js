// The thread that works, as the server sees it.

import { Thread } from '../thread.js';

export class Caller {
  #file;
  #store;
  /** @type {Thread | undefined} */
  #thread;
  /** @type {Set<() => void>} what cancels each of the calls in flight */
  #inFlight = new Set();
  #hasEnded = false;

  /**
   * @param {string} file of the thread
   * @param {import('../../host/database/reach.js').Named} [store] the database that projects are in
   */
  constructor(file, store) {
    this.#file = file;
    this.#store = store;
  }

  /** Starts the thread, unless it runs: the first call waits for less then. After one that is gone, another one. */
  start() {
    if (this.#thread?.isThere || this.#hasEnded) return;
    this.#thread = new Thread(this.#file, { store: this.#store }, { says: 'The thread that works has ended' });
  }

  /**
   * Resolves to the answer of the thread. One call follows another.
   *
   * @param {string} what
   * @param {import('./work.js').Project} project
   * @param {object} members
   * @param {AbortSignal} [signal] ends the call before its next effect
   * @returns {Promise<any>} rejected with a `Refusal`, or what ended the thread
   */
  ask(what, project, members, signal) {
    this.start();
    if (this.#thread === undefined || this.#hasEnded) return Promise.reject(new Error('The server is about to end'));
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const cancel = () => {
      Atomics.store(cancelled, 0, 1);
      Atomics.notify(cancelled, 0);
    };
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const { answer } = this.#thread.ask({ what, project, cancelled: cancelled.buffer, ...members });
    this.#inFlight.add(cancel);
    return answer.finally(() => this.#inFlight.delete(cancel));
  }

  /** Ends the calls in flight, and the thread. */
  async end() {
    this.#hasEnded = true;
    for (const cancel of this.#inFlight) cancel();
    await this.#thread?.end();
  }
}
