// The host adapter where there are no files, such as a browser page: clocks and chance, no more.

/** @typedef {import('milepost:glue').Effect} Effect */
/** @typedef {import('milepost:glue').Outcome} Outcome */

/**
 * @param {Effect} effect
 * @returns {Outcome}
 */
export function perform(effect) {
  switch (effect.effect) {
    case 'clock':
      return { outcome: 'clock', wallMs: Date.now(), monotonicMs: performance.now() };
    case 'random':
      return { outcome: 'bytes', bytes: crypto.getRandomValues(new Uint8Array(effect.length)) };
    default:
      return {
        outcome: 'failed',
        fault: 'unsupported',
        detail: `this host cannot perform \`${effect.effect}\``,
      };
  }
}

/** @param {string} path */
export function absolute(path) {
  return path;
}

/** @returns {{git_root: string | null, working: string}} */
export function place() {
  return { git_root: null, working: '/' };
}
