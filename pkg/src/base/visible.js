// Text that people or models read, without what hides in it: what the core makes of its own (`src/text.rs`), for text
// that the core does not see, such as an exception, a name of a folder, or an answer that is put together here. Which
// characters those are, the core says in `text.json`.

import { hidden, selectors } from './text.json';

/**
 * A character of either list, and of each. They are made for the first text.
 *
 * @type {{any: RegExp, acting: RegExp, selecting: RegExp} | undefined}
 */
let expressions;

/** @param {string} ranges of hexadecimal digits, such as `ad 200b-200f` */
function oneOf(ranges) {
  const list = ranges.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '');
  return new RegExp(`[${list}]`, 'u');
}

/** White space, and punctuation of ASCII but for the keycaps `#` and `*`. */
const FORMLESS = /[\s!-"$-)+-/:-@[-`{-~]/;

/**
 * A text with its hidden characters written in another way. A variation selector stays as the only one after a
 * character that has forms, which white space and most punctuation of ASCII have not.
 *
 * @param {string} text
 * @param {string} stays characters that stay
 * @param {(character: string) => string} written
 */
function replaced(text, stays, written) {
  expressions ??= { any: oneOf(`${hidden} ${selectors}`), acting: oneOf(hidden), selecting: oneOf(selectors) };
  const { any, acting, selecting } = expressions;
  if (!any.test(text)) return text;
  let shown = '';
  let isBase = false;
  for (const character of text) {
    const isSelector = selecting.test(character);
    /** @type {boolean} */
    const isHarmless = isSelector ? isBase : !acting.test(character);
    isBase = isHarmless && !isSelector && !FORMLESS.test(character);
    shown += isHarmless || stays.includes(character) ? character : written(character);
  }
  return shown;
}

/** @param {string} character */
const escape = (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** @param {string} character */
const escapeOfJson = (character) =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * The text on one line, with each hidden character as its escape, such as `\u{1b}`.
 *
 * @param {string} text
 */
export function visible(text) {
  return replaced(text, '', escape);
}

/**
 * The text with line feeds and tabs as they are, and every other hidden character as its escape.
 *
 * @param {string} text
 */
export function visibleLines(text) {
  return replaced(text, '\n\t', escape);
}

/**
 * JSON text with hidden characters as escapes of JSON: the same value.
 *
 * @param {string} json
 */
export function escapedJson(json) {
  return replaced(json, '\n\t', escapeOfJson);
}

/**
 * A value of JSON with all that is hidden in its texts and in the names of its members visible.
 *
 * @param {any} value
 * @returns {any}
 */
export function shown(value) {
  if (typeof value === 'string') return visibleLines(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  /** @type {Map<string, any>} */
  const members = new Map();
  for (const [name, member] of Object.entries(value)) {
    let as = visibleLines(name);
    // One that is called as another one looks does not take its place.
    while (members.has(as)) as += '*';
    members.set(as, shown(member));
  }
  return Object.fromEntries(members);
}
