// Signals that end a program which has something to remove: by themselves they would leave it behind.

import os from 'node:os';
import process from 'node:process';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A shell says by such a code that a signal has ended a program. */
const BY_SIGNAL = 128;

/**
 * Calls where a signal asks the program to end.
 *
 * @param {(signal: typeof SIGNALS[number]) => void} end
 */
export function onSignal(end) {
  for (const signal of SIGNALS) process.once(signal, () => end(signal));
}

/**
 * Ends the program as the signal would, after what is to be done as it exits.
 *
 * @param {typeof SIGNALS[number]} signal
 */
export function leave(signal) {
  process.exit(BY_SIGNAL + os.constants.signals[signal]);
}
