// The host adapter where there are no files, such as a browser page: clocks and chance, no more.

import * as ffi from '../wasm/ffi.js';

/** @type {ffi.Perform} */
export function perform(effect, _text, _textLength, _more, _moreLength, number) {
  const name = ffi.EFFECTS[effect];
  if (name === 'clock') return ffi.answerClock(Date.now(), performance.now());
  if (name === 'random') return ffi.answerBytes(crypto.getRandomValues(new Uint8Array(number)));
  return ffi.answerFault('unsupported', `this host has no files: it cannot perform \`${name}\``);
}

/** @param {string} path */
export function absolute(path) {
  return path;
}

/** @returns {{git_root: string | null, working: string}} */
export function place() {
  return { git_root: null, working: '/' };
}
