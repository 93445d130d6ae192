// The host adapter where there are no files, such as a browser page: clocks and chance, no more.

import * as border from '../border.js';

/** @type {border.Perform} */
export function perform(effect, _text, _textLength, _more, _moreLength, number) {
  const name = border.EFFECTS[effect];
  if (name === 'clock') return border.answerClock(Date.now(), performance.now());
  if (name === 'random') return border.answerBytes(crypto.getRandomValues(new Uint8Array(number)));
  return border.answerFault('unsupported', `this host cannot perform \`${name}\``);
}

/** @param {string} path */
export function absolute(path) {
  return path;
}

/** @returns {{git_root: string | null, working: string}} */
export function place() {
  return { git_root: null, working: '/' };
}
