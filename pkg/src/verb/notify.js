// `milepost notify`: sends the events of checkpoints. The core says which events, to whom they go and when; here
// they are sent, and the answers are passed to the core.

import process from 'node:process';
import { sentence } from '../base/messages.js';
import { Console } from './notify/console.js';
import { Core, EXIT, Refusal } from '../client/operations.js';
import { Misconfigured, endpoint } from './notify/endpoints.js';
import { failed } from './notify/outcome.js';

/** The interval between two looks while watching, in ms. */
const LOOK_EVERY_MS = 2000;

/** @typedef {import('./notify/endpoints.js').Endpoint} Endpoint */
/** @typedef {import('./notify/endpoints.js').Named} Named */
/** @typedef {{json: boolean, quiet: boolean, watch: boolean, dry_run: boolean, since_beginning: boolean}} Options */

/**
 * Sends what is due, once or until it is stopped.
 *
 * @param {any} options of the verb; see {@link Options}
 * @param {import('../client/operations.js').Host & import('../base/messages.js').SecretFilter} host
 * @returns {Promise<number>} the exit code
 */
export async function run(options, host) {
  const out = new Console(options, host);
  const core = new Core(host, (warning) => out.say('warning', warning));
  const sender = new Sender(core, out);
  try {
    if (options.dry_run) return sender.preview(options.since_beginning);
    return await (options.watch ? watch(sender, options, out) : once(sender, options));
  } catch (error) {
    return refused(error, out);
  }
}

/**
 * @param {Sender} sender
 * @param {Options} options
 */
async function once(sender, options) {
  let fromBeginning = options.since_beginning;
  for (;;) {
    const { sent } = await sender.round(fromBeginning);
    if (sent === 0) break;
    fromBeginning = false;
  }
  return sender.exit;
}

/**
 * @param {Sender} sender
 * @param {Options} options
 * @param {Console} out
 */
async function watch(sender, options, out) {
  const stopping = new AbortController();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => stopping.abort());
  }
  let fromBeginning = options.since_beginning;
  let isFirst = true;
  while (!stopping.signal.aborted) {
    try {
      const { sent } = await sender.round(fromBeginning);
      fromBeginning = false;
      isFirst = false;
      if (sent > 0) continue;
    } catch (error) {
      // A file may be in the middle of an edit. An error from the start is an error.
      if (isFirst) throw error;
      refused(error, out);
    }
    await pause(LOOK_EVERY_MS, stopping.signal);
  }
  return EXIT.done;
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal that ends it early
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

/**
 * Says why nothing is sent.
 *
 * @param {unknown} error
 * @param {Console} out
 */
function refused(error, out) {
  if (error instanceof Refusal) {
    out.say('error', { ...error.error, message: error.message });
    return error.exit;
  }
  if (!(error instanceof Misconfigured)) throw error;
  out.say('error', { code: 'usage', message: error.message });
  return EXIT.usage;
}

/** Sends what is due, and passes the results to the core. */
class Sender {
  #core;
  #out;
  #waiting = 0;
  #hasLost = false;

  /**
   * @param {Core} core
   * @param {Console} out
   */
  constructor(core, out) {
    this.#core = core;
    this.#out = out;
  }

  /** The exit code of a call that ends now. */
  get exit() {
    if (this.#waiting > 0) return EXIT.again;
    return this.#hasLost ? EXIT.no : EXIT.done;
  }

  /**
   * Sends what is due now, of each checkpoint one.
   *
   * @param {boolean} fromBeginning
   * @returns {Promise<{sent: number}>} how many attempts there were
   */
  async round(fromBeginning) {
    const { endpoints, way } = this.#receivers();
    const found = this.#core.ask('due_notices', {
      fingerprints: fingerprints([...endpoints.values()]),
      since_beginning: fromBeginning,
    });
    this.#waiting = found.waiting;
    this.#reportState(found);
    if (found.due.length === 0) return { sent: 0 };
    const attempts = found.due.map(async (/** @type {any} */ due) => ({
      due,
      outcome: await attempted(endpoints.get(due.endpoint), due, way),
    }));
    this.#record(await Promise.all(attempts));
    return { sent: found.due.length };
  }

  /**
   * Prints what a call would send now, and to whom.
   *
   * @param {boolean} fromBeginning
   * @returns {number} the exit code of such a call, as long as no attempt fails
   */
  preview(fromBeginning) {
    const { endpoints } = this.#receivers();
    const { due, ...state } = this.#core.ask('due_notices', {
      fingerprints: fingerprints([...endpoints.values()]),
      preview: true,
      since_beginning: fromBeginning,
    });
    this.#waiting = state.waiting;
    this.#reportState(state);
    const shown = due.map((/** @type {any} */ { fingerprint: _, ...more }) => {
      return { ...more, shown: endpoints.get(more.endpoint)?.shown };
    });
    this.#out.preview(shown, state);
    return this.exit;
  }

  /**
   * Each receiver, by its name in the settings, and how all of them are reached.
   *
   * @returns {{endpoints: Map<string, Endpoint>, way: import('./notify/request.js').Way}}
   */
  #receivers() {
    const { endpoints: named, timeout_ms, allow_private_addresses } = this.#core.ask('notification_endpoints');
    const way = { timeoutMs: timeout_ms, allowsPrivate: allow_private_addresses };
    const endpoints = new Map(
      named.map((/** @type {Named} */ one) => [one.id, endpoint(one, process.env, way.allowsPrivate)]),
    );
    return { endpoints, way };
  }

  /** @param {{since: string | null, disabled: {endpoint: string, at: string}[]}} found */
  #reportState({ since, disabled }) {
    if (since !== null) {
      this.#out.note(
        `Begun with what was reached since ${since}, when the settings were last changed. ` +
          '`--since-beginning` sends what was reached before, too',
      );
    }
    for (const { endpoint, at } of disabled) {
      this.#hasLost = true;
      const message = `${endpoint} answered 410 Gone at ${at}: nothing is sent there until its settings or its URL change`;
      this.#out.say('warning', { code: 'gone', message });
    }
  }

  /** @param {{due: any, outcome: import('./notify/outcome.js').Outcome}[]} attempts */
  #record(attempts) {
    const deliveries = attempts.map(({ due, outcome }) => ({
      endpoint: due.endpoint,
      fingerprint: due.fingerprint,
      id: due.notice.id,
      attempt: due.attempt,
      outcome: outcome.outcome,
      retry_after_ms: outcome.retryAfterMs,
    }));
    const recorded = this.#core.ask('record_deliveries', { deliveries });
    this.#waiting = recorded.waiting;
    attempts.forEach(({ due, outcome }, index) => {
      const { fate, next_at } = recorded.deliveries[index];
      this.#hasLost ||= fate === 'given_up' || fate === 'disabled';
      const { endpoint, notice, attempt } = due;
      this.#out.ended({ endpoint, notice, attempt, fate, next_at, why: outcome.why ?? null });
    });
  }
}

/**
 * @param {Endpoint | undefined} endpoint
 * @param {any} due
 * @param {import('./notify/request.js').Way} way
 * @returns {Promise<import('./notify/outcome.js').Outcome>}
 */
async function attempted(endpoint, due, way) {
  if (endpoint === undefined) return failed('its settings have changed since');
  try {
    return await endpoint.send(due.notice, due, way);
  } catch (error) {
    return failed(sentence(error));
  }
}

/** @param {Endpoint[]} endpoints */
function fingerprints(endpoints) {
  return endpoints.map(({ id, fingerprint }) => ({ endpoint: id, fingerprint }));
}
