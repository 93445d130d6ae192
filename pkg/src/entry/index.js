// `milepost`: the functions of hooks, and the way to all else. The same names from `require` and
// `import`, and on every host.

import { absolute, perform, place } from 'milepost:host';
import { library } from 'milepost:library';
import * as instance from '../wasm/instance.js';
import { requestOf, valueOf } from '../wasm/wire.js';
import { silently } from './silent.js';

export { MilepostError } from '../base/error.js';
export { lastError } from './silent.js';
export {
  MAX_SUMMARY_TOKENS,
  countTokens,
  truncateContextSummary,
  validateContextSummary,
} from './summary.js';

/** @typedef {import('../../types/index.js').Store} Store */

/**
 * Runs an operation of hooks. What the wasm of hooks leaves out it does not answer, and has not written
 * anything: the library runs it from the beginning.
 *
 * @param {string} request JSON text
 */
const run = (request) => instance.run(request, perform) || library().run(request);

/**
 * @param {import('../../types/index.js').StoreOptions} [options]
 * @returns {Store}
 */
export function openStore(options) {
  return library().openStore(options, run);
}

/** @type {Store | undefined} */
let opened;

/** The store of the working folder; where that is, is read at each operation. */
function store() {
  opened ??= library().openStore({ onWarning: library().report }, run);
  return opened;
}

/**
 * Runs an operation of hooks at the working folder, where the arguments need no second look; what does
 * is left to the store, which says what is wrong.
 *
 * @param {string} operation
 * @param {unknown} command
 * @param {unknown} feature
 * @param {string | undefined} fields further members of the request, as JSON text
 * @param {() => any} otherwise the store's method
 * @returns {any} the operation's value
 */
function ask(operation, command, feature, fields, otherwise) {
  const isNamed = typeof command === 'string' && (feature === null || typeof feature === 'string');
  const here = isNamed && fields !== undefined ? attempt(place) : undefined;
  if (here === undefined) return otherwise();
  const which = `,"command":${JSON.stringify(command)},"feature":${JSON.stringify(feature)}`;
  const reply = answer(requestOf(operation, here, which + fields));
  const warn = (/** @type {any} */ warning) => library().report(library().fromWarning(warning));
  return valueOf(reply, (error) => library().fromReply(error), warn);
}

/** @param {string} request */
function answer(request) {
  try {
    return run(request);
  } catch (cause) {
    throw library().failureOf(cause);
  }
}

/**
 * Returns the result of an action; undefined where it fails, as a later call will try and report it.
 *
 * @template T
 * @param {() => T} action
 */
function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/**
 * A plain object as JSON text; of anything else the store knows more.
 *
 * @param {unknown} value
 */
function plainJson(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const text = attempt(() => JSON.stringify(value));
  return text?.startsWith('{') ? text : undefined;
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {import('../../types/index.js').UnifiedCheckpoint | null}
 */
export function loadCheckpoint(command, feature = null) {
  return silently(null, () => {
    const loaded = ask('load', command, feature, '', () => ({
      text: store().loadText(command, feature),
    }));
    const text = loaded?.text ?? null;
    return text === null ? null : JSON.parse(text);
  });
}

/**
 * @param {string} command
 * @param {object} checkpoint is brought up to what is stored
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function saveCheckpoint(command, checkpoint, feature = null) {
  return silently(false, () => {
    library().saveAndBringUpToDate(store(), command, checkpoint, feature);
    return true;
  });
}

/**
 * @param {string} command
 * @param {string} phase
 * @param {import('../../types/index.js').PhasePatch} patch
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function updatePhase(command, phase, patch, feature = null) {
  return silently(false, () => {
    const json = typeof phase === 'string' ? plainJson(patch) : undefined;
    const fields = json && `,"phase":${JSON.stringify(phase)},"patch":${json}`;
    ask('update_phase', command, feature, fields, () =>
      store().updatePhase(command, phase, patch, feature),
    );
    return true;
  });
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function completeCheckpoint(command, feature = null) {
  return silently(false, () => {
    // As specified it completes any checkpoint. Phases that are still to be done stay so, and a warning names them.
    ask('complete', command, feature, ',"keep_open":true', () =>
      store().complete(command, feature, { keepOpen: true }),
    );
    return true;
  });
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {Pick<import('../../types/index.js').ResumePoint, 'phase' | 'summary'>}
 */
export function getResumePoint(command, feature = null) {
  return silently({ phase: null, summary: null }, () => {
    const resume = () => store().resumePoint(command, feature);
    const { phase, summary } = ask('resume_point', command, feature, '', resume);
    return { phase, summary };
  });
}

/** @returns {string | null} */
export function getStateDir() {
  return silently(null, () => absolute(store().location().stateFolder));
}

/** @returns {import('../../types/index.js').Integrations | null} */
export function loadIntegrations() {
  return silently(null, () => store().loadIntegrations());
}

/** @type {typeof import('../../types/index.js').validateCheckpoint} */
export function validateCheckpoint(checkpoint, options) {
  return library().validateCheckpoint(checkpoint, options);
}

/** @type {typeof import('../../types/index.js').checkHandoffRequest} */
export function checkHandoffRequest(request) {
  return library().checkHandoffRequest(request);
}

/** @type {typeof import('../../types/index.js').checkHandoffResponse} */
export function checkHandoffResponse(response, policy) {
  return library().checkHandoffResponse(response, policy);
}
