// A thread that works, as the program that started it sees it.

import threads from 'node:worker_threads';
import { Refusal } from '../client/operations.js';

export class Thread {
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void}>} */
  #waiting = new Map();
  #count = 0;
  #worker;
  /** @type {unknown} why it cannot be asked any more */
  #failure;

  /**
   * @param {string} file
   * @param {object} data that it begins with
   * @param {{says: string, onEnd?: () => void, onMessage?: (message: any) => void}} how what `says` that it ended by
   *   itself, and what else it sends
   */
  constructor(file, data, { says, onEnd = () => {}, onMessage = () => {} }) {
    this.#worker = new threads.Worker(file, { workerData: data });
    this.#worker.on('message', (message) => {
      const { id, value, error } = message;
      if (id === undefined) return onMessage(message);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Refusal(error));
    });
    /** @param {unknown} error */
    const end = (error) => {
      if (this.#failure !== undefined) return;
      this.#failure = error;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      onEnd();
    };
    this.#worker.on('error', end);
    this.#worker.on('exit', () => end(new Error(says)));
  }

  /** True if it can be asked. */
  get isThere() {
    return this.#failure === undefined;
  }

  /**
   * Asks it. The answer is rejected with a `Refusal`, or with what ended the thread.
   *
   * @param {object} message
   * @returns {{id: number, answer: Promise<any>}}
   */
  ask(message) {
    const id = this.#count++;
    if (this.#failure !== undefined) return { id, answer: Promise.reject(this.#failure) };
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ ...message, id });
    return { id, answer };
  }

  /** @param {string} [says] why it cannot be asked from now on; without it, questions go on until it has ended */
  async end(says) {
    if (says !== undefined) this.#failure ??= new Error(says);
    await this.#worker.terminate();
  }
}
