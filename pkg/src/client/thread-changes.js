// Changes of threads on their way: what a task wrote goes into one commit with the checkpoint that comes right
// after it, and so does what comes while another commit is in progress.
//
// A graph whose nodes are quicker than the place of its checkpoints is ahead of them: its tasks have written to
// checkpoints that are put one after the other, much later. Such a write waits for its checkpoint, as long as puts
// come: one that is stored before it is apart from it for good.

/** @typedef {import('../../types/threads.js').Ask} Ask */

/** @typedef {{namespace: string, id: string}} Checkpoint */

/** @typedef {{text: Uint8Array}} HeldText text of a value */

/**
 * @typedef {{
 *   to: Checkpoint | null,
 *   isPut: boolean,
 *   change: (texts: HeldText[]) => Record<string, unknown>,
 *   resolve: () => void,
 *   reject: (reason: unknown) => void,
 * }} Waiting one change of a checkpoint, which adds its texts to those of all; of none for one that only waits
 */

/**
 * @typedef {{
 *   waiting: Waiting[],
 *   isRunning: boolean,
 *   latest: Map<string, string>,
 * }} BusyThread with the highest id that was put since it is busy, by namespace
 */

/** Runs what is to come after all that is ready now. */
const later = globalThis.setImmediate ?? ((/** @type {() => void} */ run) => setTimeout(run, 0));

export class ThreadChanges {
  #ask;
  #fail;
  /** @type {Map<string, BusyThread>} by thread */
  #threads = new Map();
  /** @type {Map<string, {puts: number, next: (() => void)[]}>} puts that are being made, and who waits, by thread */
  #making = new Map();

  /**
   * @param {Ask} ask
   * @param {(error: any) => unknown} fail makes the error of a change of what the reply has
   */
  constructor(ask, fail) {
    this.#ask = ask;
    this.#fail = fail;
  }

  /**
   * Runs what ends in a put. A serializer may take long: writes that are ahead of their checkpoint wait for it.
   *
   * @template T
   * @param {string} threadId
   * @param {() => Promise<T>} make
   * @returns {Promise<T>}
   */
  async making(threadId, make) {
    const making = this.#making.get(threadId) ?? { puts: 0, next: [] };
    this.#making.set(threadId, making);
    making.puts += 1;
    try {
      return await make();
    } finally {
      making.puts -= 1;
      if (making.puts === 0) this.#making.delete(threadId);
      for (const done of making.next.splice(0)) done();
    }
  }

  /**
   * Puts a checkpoint; done once it is committed. That is begun immediately: a graph that runs ahead of its
   * checkpoints would leave ever more of them to be made.
   *
   * @param {string} threadId
   * @param {Checkpoint} to
   * @param {Waiting['change']} change
   * @returns {Promise<void>}
   */
  put(threadId, to, change) {
    const added = this.#add(threadId, to, true, change);
    this.#run(threadId);
    return added;
  }

  /**
   * Adds writes to a checkpoint; done once they are committed, with the next put, or after all that is ready now.
   *
   * @param {string} threadId
   * @param {Checkpoint} to
   * @param {Waiting['change']} change
   * @returns {Promise<void>}
   */
  write(threadId, to, change) {
    const isFirst = !this.#threads.has(threadId);
    const added = this.#add(threadId, to, false, change);
    if (isFirst) later(() => this.#run(threadId));
    return added;
  }

  /**
   * Waits for the changes of a thread that were asked for before this, or of all.
   *
   * @param {string} [threadId]
   */
  async settled(threadId) {
    const threads = threadId === undefined ? [...this.#threads.keys()] : [threadId];
    const busy = threads.filter((thread) => this.#threads.has(thread));
    const settling = busy.map((thread) => {
      const added = this.#add(thread, null, false, NOTHING);
      this.#run(thread);
      return added;
    });
    await Promise.allSettled(settling);
  }

  /**
   * @param {string} threadId
   * @param {Checkpoint | null} to
   * @param {boolean} isPut
   * @param {Waiting['change']} change
   * @returns {Promise<void>}
   */
  #add(threadId, to, isPut, change) {
    return new Promise((resolve, reject) => {
      /** @type {BusyThread} */
      const thread = this.#threads.get(threadId) ?? { waiting: [], isRunning: false, latest: new Map() };
      this.#threads.set(threadId, thread);
      thread.waiting.push({ to, isPut, change, resolve, reject });
      for (const done of this.#making.get(threadId)?.next.splice(0) ?? []) done();
    });
  }

  /**
   * Waits until another change of a thread is there, or a put of it ended.
   *
   * @param {string} threadId
   */
  #next(threadId) {
    return new Promise((resolve) => this.#making.get(threadId)?.next.push(() => resolve(undefined)));
  }

  /** @param {string} threadId */
  async #run(threadId) {
    const thread = this.#threads.get(threadId);
    if (thread === undefined || thread.isRunning) return;
    thread.isRunning = true;
    while (thread.waiting.length > 0) {
      // The next put comes right after the answer to the one before it.
      if (!hasDue(thread)) await new Promise((resolve) => later(() => resolve(undefined)));
      while (!hasDue(thread) && this.#making.has(threadId)) await this.#next(threadId);
      await this.#commit(threadId, hasDue(thread) ? due(thread) : thread.waiting.splice(0));
    }
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
    /** @type {HeldText[]} */
    const held = [];
    const fields = changes.map(({ change }) => change(held));
    const text = held.map((it) => it.text);
    // One change is not asked for again, so that only the request has its text from here on.
    if (changes.length === 1) for (const it of held) it.text = NO_TEXT;
    const { results } = await this.#ask('put_thread', { thread_id: threadId, changes: fields, text });
    changes.forEach(({ resolve, reject }, at) => {
      const { error } = results[at];
      if (error === null) resolve();
      else reject(this.#fail(error));
    });
  }
}

const NO_TEXT = new Uint8Array();

/** Takes the place of a change for callers that only wait. */
const NOTHING = () => ({});

/**
 * Returns whether writes are ahead of their checkpoint: puts come, and this one has not come yet.
 *
 * @param {BusyThread} thread
 * @param {Waiting} waiting
 */
function isAhead({ latest }, { to, isPut }) {
  if (to === null || isPut) return false;
  const put = latest.get(to.namespace);
  return put !== undefined && to.id > put;
}

/**
 * Returns whether anything waits that is not ahead.
 *
 * @param {BusyThread} thread
 */
function hasDue(thread) {
  return thread.waiting.some((it) => !isAhead(thread, it));
}

/**
 * Takes what is to be committed next, in the order in which it came.
 *
 * @param {BusyThread} thread
 */
function due(thread) {
  const { latest } = thread;
  const all = thread.waiting.splice(0);
  for (const { to, isPut } of all) {
    if (to !== null && isPut && !(to.id < (latest.get(to.namespace) ?? ''))) latest.set(to.namespace, to.id);
  }
  if (all.some(({ to }) => to === null)) return all;
  thread.waiting = all.filter((it) => isAhead(thread, it));
  return all.filter((it) => !isAhead(thread, it));
}
