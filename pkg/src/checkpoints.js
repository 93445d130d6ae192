// The seed's checkpoint manager: the store's operations, silent-fail.

import { absolute } from 'milepost:host';
import * as core from './core.js';
import { openStore } from './open.js';
import { bringUpToDate } from './saved.js';

/** @type {import('../types/index.js').Store | undefined} */
let opened;

/** The store of the working folder; where that is, is read at each operation. */
function store() {
  opened ??= openStore({ onWarning: core.report });
  return opened;
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {import('../types/index.js').UnifiedCheckpoint | null}
 */
export function loadCheckpoint(command, feature = null) {
  return core.silently(null, () => store().load(command, feature));
}

/**
 * Saves a whole checkpoint, and brings the passed object up to what is stored: a script that keeps
 * it and saves it again neither conflicts with itself nor reverts another writer's change.
 *
 * @param {string} command
 * @param {object} checkpoint
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function saveCheckpoint(command, checkpoint, feature = null) {
  return core.silently(false, () => {
    const sent = core.json('checkpoint', checkpoint);
    const { text, merged } = store().saveText(command, sent, feature);
    bringUpToDate(checkpoint, JSON.parse(sent), JSON.parse(text), merged);
    return true;
  });
}

/**
 * @param {string} command
 * @param {string} phase
 * @param {import('../types/index.js').PhasePatch} patch
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function updatePhase(command, phase, patch, feature = null) {
  return core.silently(false, () => {
    store().updatePhase(command, phase, patch, feature);
    return true;
  });
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {boolean}
 */
export function completeCheckpoint(command, feature = null) {
  return core.silently(false, () => {
    store().complete(command, feature);
    return true;
  });
}

/**
 * @param {string} command
 * @param {string | null} [feature]
 * @returns {Pick<import('../types/index.js').ResumePoint, 'phase' | 'summary'>}
 */
export function getResumePoint(command, feature = null) {
  return core.silently({ phase: null, summary: null }, () => {
    const { phase, summary } = store().resumePoint(command, feature);
    return { phase, summary };
  });
}

/** @returns {string | null} */
export function getStateDir() {
  return core.silently(null, () => absolute(store().location().stateFolder));
}

/** @returns {import('../types/index.js').Integrations | null} */
export function loadIntegrations() {
  return core.silently(null, () => store().loadIntegrations());
}
