// Changes of threads on their way: what a task wrote goes into one commit with the checkpoint that comes right
// after it, and so does what comes while another commit is in progress.

/** @typedef {import('../../types/threads.js').Ask} Ask */

/**
 * @typedef {{
 *   change: (texts: Uint8Array[]) => Record<string, unknown>,
 *   resolve: () => void,
 *   reject: (reason: unknown) => void,
 * }} Waiting one change, which adds its texts to those of all
 */

/** Runs what is to come after all that is ready now. */
const later = globalThis.setImmediate ?? ((/** @type {() => void} */ run) => setTimeout(run, 0));

export class ThreadChanges {
  #ask;
  #fail;
  /** @type {Map<string, {waiting: Waiting[], isRunning: boolean}>} by thread */
  #threads = new Map();

  /**
   * @param {Ask} ask
   * @param {(error: any) => unknown} fail makes the error of a change of what the reply has
   */
  constructor(ask, fail) {
    this.#ask = ask;
    this.#fail = fail;
  }

  /**
   * Makes a change; done once it is committed. One that can wait is made with the next one, or after all that is
   * ready now. Another one is begun immediately: a graph that runs ahead of its checkpoints would leave ever more of
   * them to be made.
   *
   * @param {string} threadId
   * @param {boolean} canWait
   * @param {Waiting['change']} change
   * @returns {Promise<void>}
   */
  add(threadId, canWait, change) {
    return new Promise((resolve, reject) => {
      const thread = this.#threads.get(threadId) ?? { waiting: [], isRunning: false };
      const isFirst = !this.#threads.has(threadId);
      this.#threads.set(threadId, thread);
      thread.waiting.push({ change, resolve, reject });
      if (!canWait) this.#run(threadId);
      else if (isFirst) later(() => this.#run(threadId));
    });
  }

  /**
   * Waits for the changes of a thread that were asked for before this, or of all.
   *
   * @param {string} [threadId]
   */
  async settled(threadId) {
    const threads = threadId === undefined ? [...this.#threads.keys()] : [threadId];
    const busy = threads.filter((thread) => this.#threads.has(thread));
    await Promise.allSettled(busy.map((thread) => this.add(thread, false, NOTHING)));
  }

  /** @param {string} threadId */
  async #run(threadId) {
    const thread = this.#threads.get(threadId);
    if (thread === undefined || thread.isRunning) return;
    thread.isRunning = true;
    while (thread.waiting.length > 0) await this.#commit(threadId, thread.waiting.splice(0));
    this.#threads.delete(threadId);
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
        // An error of one change must not fail the others.
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
    /** @type {Uint8Array[]} */
    const texts = [];
    const fields = changes.map(({ change }) => change(texts));
    const { results } = await this.#ask('put_thread', {
      thread_id: threadId,
      changes: fields,
      text: texts,
    });
    changes.forEach(({ resolve, reject }, at) => {
      const { error } = results[at];
      if (error === null) resolve();
      else reject(this.#fail(error));
    });
  }
}

/** Takes the place of a change for callers that only wait. */
const NOTHING = () => ({});
