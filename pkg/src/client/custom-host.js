// One operation, on a host of the caller's.

import { load } from 'milepost:deferred';
import { text } from './arguments.js';
import { ofObjects } from '../host/objects.js';
import { run } from '../wasm/instance.js';
import { unexpected } from './reply.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */
/** @typedef {(effect: Effect) => Outcome | PromiseLike<Outcome>} Perform */
/** @typedef {import('milepost:deferred').Load} Load */

/** Hosts that were seen to answer later. */
const answeringLater = new WeakSet();

/** A host's answer that is not there yet. */
class Pending extends Error {
  /** @param {PromiseLike<Outcome>} outcome */
  constructor(outcome) {
    super('the host answers later');
    this.outcome = outcome;
  }
}

/**
 * @param {string} request
 * @param {Perform} perform
 * @returns {any} a text, or a promise of one
 */
export const runOperation = (request, perform) => runOn(load, request, perform);

/**
 * Begins in the wasm whose effects are calls, which cannot wait. Where a host turns out to answer later,
 * the operation begins again as a step machine, with the outcomes that are there already: it asks for the
 * same effects in the same order, so that none is performed twice.
 *
 * @param {Load} loadLater
 * @param {string} request
 * @param {Perform} perform
 * @returns {any} a text, or a promise of one
 */
export function runOn(loadLater, request, perform) {
  if (typeof perform !== 'function') throw unexpected('perform', 'a function', perform);
  const asked = text('request', request);
  if (isAsync(perform)) return later(loadLater, asked, perform);
  /** @type {(Outcome | PromiseLike<Outcome>)[]} */
  const outcomes = [];
  try {
    const blocking = ofObjects((effect) => {
      const outcome = perform(effect);
      if (isPromise(outcome)) throw new Pending(outcome);
      outcomes.push(outcome);
      return outcome;
    });
    return run(asked, blocking);
  } catch (error) {
    if (!(error instanceof Pending)) throw error;
    answeringLater.add(perform);
    outcomes.push(error.outcome);
    return later(loadLater, asked, (effect) => outcomes.shift() ?? perform(effect));
  }
}

/** @param {Perform} perform */
function isAsync(perform) {
  return answeringLater.has(perform) || Object.prototype.toString.call(perform) === '[object AsyncFunction]';
}

/**
 * @param {any} outcome
 * @returns {outcome is PromiseLike<Outcome>}
 */
function isPromise(outcome) {
  return typeof outcome?.then === 'function';
}

/** @type {(load: Load, request: string, perform: Perform) => Promise<string>} */
async function later(load, request, perform) {
  const loaded = await load();
  return loaded.run(request, perform);
}
