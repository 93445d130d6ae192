// Runs of graphs on the threads of one saver. LangGraph gives each run a signal of its own, in the config of all that
// the run asks a saver for: it says which run asks, whether that was cancelled, and by its listeners whether it has
// ended. A cancelled run has ended for its caller while puts of it are still on their way.

import { MilepostError } from 'milepost:threads';
import { describe, quote } from '../../base/quote.js';

/** A run waits for another one so long, in ms, unless the caller says otherwise. */
const WAIT_MS = 60_000;

/** The time between two looks at the run that is waited for, in ms. */
const LOOK_EVERY_MS = 10;

/** Of so many threads, the latest, the run that read their head last is remembered. */
const REMEMBERED = 10_000;

/** Ends after all that is ready now. */
const turn = () => new Promise((resolve) => (globalThis.setImmediate ?? setTimeout)(resolve));

export class ThreadRuns {
  #waitMs;
  /** @type {Map<string, Set<Promise<unknown>>>} changes on their way, by thread */
  #changes = new Map();
  /** @type {Map<string, WeakRef<AbortSignal>>} the run that began last, by thread */
  #latest = new Map();
  /** @type {Map<string, number>} the number of the run that read the head last, by thread and namespace */
  #readers = new Map();
  /** @type {Map<string, AbortSignal[]>} runs that wait for their turn, by thread */
  #waiting = new Map();
  /** @type {WeakMap<AbortSignal, number>} */
  #numbers = new WeakMap();
  #count = 0;

  /**
   * @param {unknown} queue the option of the saver
   * @throws {MilepostError} `usage`
   */
  constructor(queue = false) {
    this.#waitMs = waitOf(queue);
  }

  /**
   * Is called before the head of a thread is read, and done once it may be: after all that a cancelled run has on its
   * way, and, with a queue, after the run that is at work there.
   *
   * @param {string} threadId
   * @param {string} namespace
   * @param {AbortSignal} [signal] of a run; others only look
   * @throws {MilepostError} `busy`
   */
  async begin(threadId, namespace, signal) {
    const isRun = signal !== undefined && namespace === '';
    const before = await this.#beginAfter(threadId, isRun ? signal : undefined);
    if (before !== signal && before?.aborted) await this.#drained(threadId);
    if (signal !== undefined) remember(this.#readers, keyOf(threadId, namespace), this.#numberOf(signal));
  }

  /**
   * Makes a change of a run, which is on its way from now on.
   *
   * @template T
   * @param {string} threadId
   * @param {() => Promise<T>} change
   * @returns {Promise<T>}
   */
  async change(threadId, change) {
    const changes = this.#changes.get(threadId) ?? new Set();
    this.#changes.set(threadId, changes);
    const changing = change();
    changes.add(changing);
    try {
      return await changing;
    } finally {
      changes.delete(changing);
      if (changes.size === 0) this.#changes.delete(threadId);
    }
  }

  /**
   * Refuses a put of a cancelled run where another run has read the head since: it would be in the way of that one.
   *
   * @param {string} threadId
   * @param {string} namespace
   * @param {AbortSignal} [signal]
   * @throws {MilepostError} `conflict`
   */
  expectCurrent(threadId, namespace, signal) {
    if (!signal?.aborted) return;
    const reader = this.#readers.get(keyOf(threadId, namespace));
    if (reader === undefined || reader === this.#numbers.get(signal)) return;
    const message = `The run was cancelled, and another one went on with the thread ${nameOf(threadId)}`;
    throw new MilepostError('conflict', `${message}: nothing more of the cancelled one is stored`, {
      fields: ['/parent'],
    });
  }

  /**
   * Returns whether a run is at work on a thread, or a change of it is on its way.
   *
   * @param {string} threadId
   */
  isBusy(threadId) {
    return this.#changes.has(threadId) || this.#isAtWork(threadId);
  }

  /**
   * @param {string} threadId
   * @param {AbortSignal} [except]
   */
  #isAtWork(threadId, except) {
    const run = this.#latest.get(threadId)?.deref();
    return run !== undefined && run !== except && !hasEnded(run);
  }

  /**
   * Returns the run that began last, which a run takes the place of.
   *
   * @param {string} threadId
   * @param {AbortSignal} [signal]
   */
  #beginAfter(threadId, signal) {
    if (signal !== undefined && this.#waitMs > 0) return this.#turnOf(threadId, signal);
    return this.#replace(threadId, signal);
  }

  /**
   * @param {string} threadId
   * @param {AbortSignal} [signal]
   */
  #replace(threadId, signal) {
    const before = this.#latest.get(threadId)?.deref();
    if (signal !== undefined) remember(this.#latest, threadId, new WeakRef(signal));
    return before;
  }

  /**
   * Waits until a run is the first of those that wait, and none is at work. It begins in the same moment.
   *
   * @param {string} threadId
   * @param {AbortSignal} signal
   */
  async #turnOf(threadId, signal) {
    const waiting = this.#waiting.get(threadId) ?? [];
    this.#waiting.set(threadId, waiting);
    waiting.push(signal);
    const end = performance.now() + this.#waitMs;
    try {
      while (waiting[0] !== signal || this.#isAtWork(threadId, signal)) {
        signal.throwIfAborted();
        if (performance.now() >= end) throw tooLate(threadId, this.#waitMs);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
      return this.#replace(threadId, signal);
    } finally {
      waiting.splice(waiting.indexOf(signal), 1);
      if (waiting.length === 0) this.#waiting.delete(threadId);
    }
  }

  /**
   * Waits for the changes of a thread: one that was chained to another begins right after that.
   *
   * @param {string} threadId
   */
  async #drained(threadId) {
    for (;;) {
      await turn();
      const changes = this.#changes.get(threadId);
      if (changes === undefined) return;
      await Promise.allSettled(changes);
    }
  }

  /** @param {AbortSignal} signal */
  #numberOf(signal) {
    const number = this.#numbers.get(signal) ?? (this.#count += 1);
    this.#numbers.set(signal, number);
    return number;
  }
}

/**
 * Returns whether a run has ended: as long as it goes on, its caller listens to the signal.
 *
 * @param {AbortSignal} signal
 */
function hasEnded(signal) {
  return signal.aborted || !(listenersOf()?.(signal, 'abort').length);
}

/** Lists the listeners of a signal; undefined on a host that cannot. */
function listenersOf() {
  return globalThis.process?.getBuiltinModule?.('node:events')?.getEventListeners;
}

/**
 * @template T
 * @param {Map<string, T>} map the latest last
 * @param {string} key
 * @param {T} value
 */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  map.delete(oldest);
}

/**
 * @param {string} threadId
 * @param {string} namespace
 */
function keyOf(threadId, namespace) {
  return JSON.stringify([threadId, namespace]);
}

/** @param {string} threadId */
function nameOf(threadId) {
  return quote(threadId, 'of that id');
}

/**
 * @param {string} threadId
 * @param {number} waited in ms
 */
function tooLate(threadId, waited) {
  const message = `The thread ${nameOf(threadId)} is in use by another run for longer than ${waited} ms`;
  return new MilepostError('busy', `${message}: retry, cancel that run, or set a longer \`queue.limit\``);
}

/**
 * The time that a run waits for another one, in ms; 0 without a queue.
 *
 * @param {any} queue
 * @returns {number}
 */
function waitOf(queue) {
  if (queue === false) return 0;
  const limit = queue === true ? WAIT_MS : queue?.limit;
  const isOption = queue === true || (typeof queue === 'object' && queue !== null && Object.keys(queue).length === 1);
  if (!isOption || !Number.isInteger(limit) || limit < 1) {
    const expected = 'a boolean, or `limit` with the milliseconds that a run waits';
    throw new MilepostError('usage', `Expected \`queue\` to be ${expected}; got ${describe(queue)}`);
  }
  if (listenersOf() === undefined) {
    throw new MilepostError('usage', 'Expected `queue` to be left out on a host without the module `node:events`');
  }
  return limit;
}
