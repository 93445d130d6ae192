// The command line's end of a database. Its wasm asks for one effect and waits for the outcome, and a
// database answers later: a thread of its own asks it, while this one stands still.

import threads from 'node:worker_threads';

/** @typedef {import('../../../types/operation.js').Effect} Effect */
/** @typedef {import('../../../types/operation.js').Outcome} Outcome */

/** The thread gives up within 11 s, with its last attempt: one that says nothing for longer is dead. */
const LIMIT_MS = 20_000;
/** A failure that took longer is of a database that is away: the thread has tried again and again. */
const AWAY_AFTER_MS = 4000;
/** Followers are notified, and connections ended. What is committed needs neither. */
const CLOSE_WITHIN_MS = 3000;

const SILENT = 'the thread that asks the database has stopped, or the database does not answer';

/**
 * @typedef {object} ConnectOptions
 * @property {number} [limit] how long it may take to reach it, in milliseconds
 * @property {boolean} [listens] whether it announces changes
 * @property {boolean} [makes] whether a schema that is not there is made
 * @property {number} [deadline] the time by `performance.now()` after which nothing waits for it
 */

/**
 * Reaches a database.
 *
 * @param {string | null} variable that holds the connection string; null for those that `pg` reads
 * @param {string} project
 * @param {ConnectOptions} [options]
 */
export function open(variable, project, { limit = LIMIT_MS, listens = false, makes = true, deadline = Infinity } = {}) {
  const { port1: port, port2: far } = new threads.MessageChannel();
  // The number of answers, and the number of changes.
  const signal = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const worker = new threads.Worker(__filename, {
    workerData: { asksDatabase: true, variable, project, port: far, signal, listens, makes },
    transferList: [far],
  });
  // An error of the thread is an answer that does not come.
  worker.on('error', () => {});
  worker.unref();
  let answers = 0;
  let isDead = false;
  /** @type {Outcome | undefined} what a database that is away is answered for */
  let away;
  let hasFailed = false;

  /**
   * The next answer; undefined where none comes.
   *
   * @param {number} limit in milliseconds
   */
  function next(limit) {
    // The notice of the answer before may come once that was read: it wakes this thread, and there is no answer yet.
    while (!isDead && Atomics.load(signal, 0) === answers) {
      isDead = Atomics.wait(signal, 0, answers, limit) === 'timed-out';
    }
    answers += 1;
    return isDead ? undefined : threads.receiveMessageOnPort(port)?.message;
  }

  const begun = next(limit) ?? {
    failed: { code: 'io', message: `The database cannot be used: ${SILENT}` },
  };
  if ('failed' in begun) leave();
  return { ...begun, perform, close, hasFailed: () => hasFailed, changes: () => Atomics.load(signal, 1) };

  /**
   * Performs one effect on records. What goes wrong is an outcome.
   *
   * @param {Effect} effect
   * @returns {Outcome}
   */
  function perform(effect) {
    // One call does not wait for it twice.
    if (away !== undefined) return away;
    const asked = performance.now();
    port.postMessage(effect);
    const outcome = next(untilDeadline(LIMIT_MS)) ?? { outcome: 'failed', fault: 'other', detail: SILENT };
    // Any other fault is an answer of the database, however late.
    const hasNoAnswer = outcome.outcome === 'failed' && outcome.fault === 'other';
    hasFailed ||= hasNoAnswer;
    if (hasNoAnswer && performance.now() - asked > AWAY_AFTER_MS) away = outcome;
    return outcome;
  }

  function close() {
    port.postMessage(null);
    next(untilDeadline(CLOSE_WITHIN_MS));
    leave();
  }

  /** A thread that still waits for a database is not left behind. */
  function leave() {
    port.close();
    if (isDead) void worker.terminate();
  }

  /** @param {number} most in milliseconds */
  function untilDeadline(most) {
    return Math.max(0, Math.min(most, deadline - performance.now()));
  }
}
