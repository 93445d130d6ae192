// Changes of threads on their way: what comes while another one is under way, or in the same turn, goes into one
// commit.

/** @typedef {import('../types/langgraph.js').Ask} Ask */

/**
 * @typedef {{
 *   change: (texts: string[]) => Record<string, unknown>,
 *   resolve: () => void,
 *   reject: (reason: unknown) => void,
 * }} Waiting one change, which adds its texts to those of all
 */

/** Runs what is to come after all that is ready now. */
const later = globalThis.setImmediate ?? ((/** @type {() => void} */ run) => setTimeout(run, 0));

export class ThreadChanges {
  #ask;
  #fail;
  /** @type {Map<string, Waiting[]>} by thread; one that is under way has none, or those that come next */
  #waiting = new Map();

  /**
   * @param {Ask} ask
   * @param {(error: any) => unknown} fail makes the error of a change of what the reply has
   */
  constructor(ask, fail) {
    this.#ask = ask;
    this.#fail = fail;
  }

  /**
   * Makes a change; done once it is committed.
   *
   * @param {string} threadId
   * @param {Waiting['change']} change
   * @returns {Promise<void>}
   */
  add(threadId, change) {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(threadId);
      if (waiting !== undefined) {
        waiting.push({ change, resolve, reject });
        return;
      }
      this.#waiting.set(threadId, [{ change, resolve, reject }]);
      later(() => this.#run(threadId));
    });
  }

  /**
   * Waits for the changes of a thread that were asked for before this, or of all.
   *
   * @param {string} [threadId]
   */
  async settled(threadId) {
    const threads = threadId === undefined ? [...this.#waiting.keys()] : [threadId];
    await Promise.all(
      threads.map((thread) => {
        const waiting = this.#waiting.get(thread);
        if (waiting === undefined) return undefined;
        return new Promise((resolve) => {
          const done = () => resolve(undefined);
          waiting.push({ change: NOTHING, resolve: done, reject: done });
        });
      }),
    );
  }

  /** @param {string} threadId */
  async #run(threadId) {
    for (;;) {
      const waiting = this.#waiting.get(threadId) ?? [];
      if (waiting.length === 0) {
        this.#waiting.delete(threadId);
        return;
      }
      this.#waiting.set(threadId, []);
      await this.#commit(threadId, waiting);
    }
  }

  /**
   * @param {string} threadId
   * @param {Waiting[]} waiting
   */
  async #commit(threadId, waiting) {
    const changes = waiting.filter(({ change }) => change !== NOTHING);
    try {
      if (changes.length > 0) await this.#send(threadId, changes);
    } catch (/** @type {any} */ cause) {
      if (changes.length > 1 && cause?.written === 'no') {
        // What is wrong with one is not to be the fault of the others.
        for (const one of changes) await this.#commit(threadId, [one]);
      } else {
        for (const { reject } of changes) reject(cause);
      }
    }
    for (const { change, resolve } of waiting) if (change === NOTHING) resolve();
  }

  /**
   * @param {string} threadId
   * @param {Waiting[]} changes
   */
  async #send(threadId, changes) {
    /** @type {string[]} */
    const texts = [];
    const fields = changes.map(({ change }) => change(texts));
    const { results } = await this.#ask('put_thread', {
      thread_id: threadId,
      changes: fields,
      text: texts.join(''),
    });
    changes.forEach(({ resolve, reject }, at) => {
      const { error } = results[at];
      if (error === null) resolve();
      else reject(this.#fail(error));
    });
  }
}

/** Takes the place of a change for whoever only waits. */
const NOTHING = () => ({});
