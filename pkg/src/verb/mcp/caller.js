// The thread that works, as the server sees it.

import threads from 'node:worker_threads';
import { Refusal } from './work.js';

/** @typedef {{resolve: (value: any) => void, reject: (error: unknown) => void}} Waiting */

export class Caller {
  #file;
  #store;
  /** @type {threads.Worker | undefined} */
  #thread;
  /** @type {Map<number, Waiting & {cancel: () => void}>} */
  #waiting = new Map();
  #count = 0;
  #hasEnded = false;

  /**
   * @param {string} file of the thread
   * @param {import('../../host/database/reach.js').Named} [store] the database that projects are in
   */
  constructor(file, store) {
    this.#file = file;
    this.#store = store;
  }

  /** Starts the thread, unless it runs: the first call waits for less then. */
  start() {
    if (this.#thread !== undefined || this.#hasEnded) return;
    const thread = new threads.Worker(this.#file, { workerData: { store: this.#store } });
    this.#thread = thread;
    thread.on('message', ({ id, value, error }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Refusal(error));
    });
    thread.on('error', (error) => this.#lose(thread, error));
    thread.on('exit', () => this.#lose(thread, new Error('The thread that works has ended')));
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
    if (this.#thread === undefined) return Promise.reject(new Error('The server is about to end'));
    const id = this.#count++;
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const cancel = () => {
      Atomics.store(cancelled, 0, 1);
      Atomics.notify(cancelled, 0);
    };
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, cancel }));
    this.#thread.postMessage({ id, what, project, cancelled: cancelled.buffer, ...members });
    return answer;
  }

  /** Ends the calls in flight, and the thread. */
  async end() {
    this.#hasEnded = true;
    for (const { cancel } of this.#waiting.values()) cancel();
    await this.#thread?.terminate();
  }

  /**
   * Rejects all calls that wait for a thread that is gone; the next call starts another one.
   *
   * @param {threads.Worker} thread
   * @param {unknown} error
   */
  #lose(thread, error) {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
