// The thread that works: it calls tools and reads runs, so that the server answers regardless of a call's duration.

import threads from 'node:worker_threads';
import { perform } from 'milepost:host';
import { DONE, EFFECTS, answerFault } from '../../wasm/ffi.js';
import { Refusal } from '../../client/operations.js';
import { Database } from '../../host/database/reach.js';
import { run as operate, validateSummary } from '../../wasm/instance.js';
import { sentence } from '../../base/messages.js';
import { withoutSecrets } from '../../wasm/without-secrets.js';
import { call } from './call.js';
import { read, resources } from './resources.js';
import { TOOLS } from './tools.js';

/**
 * @typedef {import('./work.js').Project} Project
 * @typedef {{
 *   id: number,
 *   what: string,
 *   project: Project,
 *   cancelled: SharedArrayBuffer,
 *   [member: string]: any,
 * }} CallRequest
 */

const CLOCK = EFFECTS.indexOf('clock');
const WAIT = EFFECTS.indexOf('wait');

const port = /** @type {import('node:worker_threads').MessagePort} */ (threads.parentPort);

/** @type {{store?: import('../../host/database/reach.js').Named}} */
const { store } = threads.workerData;
const database = store === undefined ? null : new Database(store, perform);

/** @type {Record<string, (host: import('./work.js').Host, asked: CallRequest) => unknown>} */
const ANSWERS = {
  call: (host, { name, given }) => call(host, toolOf(name), given),
  resources: (host) => resources(host),
  read: (host, { uri }) => read(host, uri),
};

/** @param {string} name */
function toolOf(name) {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}

/**
 * Performs effects until the call is cancelled: then each of them is a fault, as on a disk that is gone, and the
 * operation says what was written.
 *
 * @param {Int32Array} cancelled
 * @param {import('../../wasm/ffi.js').Perform} perform
 * @returns {import('../../wasm/ffi.js').Perform}
 */
function until(cancelled, perform) {
  return (effect, text, textLength, more, moreLength, number, flag) => {
    if (effect !== CLOCK && Atomics.load(cancelled, 0) !== 0) return answerFault('other', 'the call was cancelled');
    if (effect !== WAIT) return perform(effect, text, textLength, more, moreLength, number, flag);
    Atomics.wait(cancelled, 0, 0, number);
    return DONE;
  };
}

port.on('message', (/** @type {CallRequest} */ asked) => {
  const { id, what, project, cancelled } = asked;
  const within = (/** @type {string} */ text, /** @type {import('../../wasm/ffi.js').Perform} */ performing) =>
    operate(text, until(new Int32Array(cancelled), performing));
  const run = (/** @type {string} */ text) =>
    database === null ? within(text, perform) : database.operate((performing) => within(text, performing));
  const host = { ...project, store, operate: run, validateSummary, withoutSecrets };
  try {
    port.postMessage({ id, value: ANSWERS[what](host, asked) });
  } catch (error) {
    const refused = error instanceof Refusal ? error.error : { code: 'io', message: withoutSecrets(sentence(error)) };
    port.postMessage({ id, error: refused });
  }
});
