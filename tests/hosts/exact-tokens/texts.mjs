// Texts for tokenizers, by chance from a seed: what patterns and merges have to tell apart, more often than it comes
// in what people write.

import * as fs from 'node:fs';

/** The characters of each kind, and the parts of contractions, names of special tokens and emoji. */
const PIECES = [
  // Words, with and without a space before them, in all cases.
  ...['the', ' the', 'The', ' THE', 'word', ' Word', 'camelCase', 'XMLHttpRequest', 'aB', 'Ab', 'ABc', 'aBC'],
  ...['straße', 'STRASSE', 'naïve', 'nai\u0308ve', 'İstanbul', 'ıI', 'ŉ', 'ﬁ', 'ǅungla', 'ǈ', 'ʰʲ', 'ªº'],
  // Contractions, with what folds to s and k, and with other apostrophes.
  ...["'s", "'S", "'ſ", "'t", "'T", "'re", "'RE", "'rE", "'ve", "'VE", "'m", "'M", "'ll", "'LL", "'lL", "'d", "'D"],
  ...['’s', "don't", "I'M", "we'VE", "a'sb", "A'SB", "''s", "'", "x'", "'x", "1's", "'İ", "'K", 'it\u2019s'],
  // Scripts without and with cases and marks.
  ...['Ελληνικά', 'ΕΛΛ', 'Привет', 'ПРИВЕТ', 'ёж', 'ა', 'Ა', 'Ꭰ', 'ꭰ', 'שלום', 'שָׁלוֹם', 'مرحبا', 'مَرْحَبًا'],
  ...['नमस्ते', 'ক্ষ', 'தமிழ்', 'ไทย', 'ภาษา', 'မြန်မာ', 'ខ្មែរ', 'བོད', '한국어', '한', '日本語', 'カタカナ'],
  ...['ひらがな', '漢字', '𠀀𪛖', '龘', 'ﾊﾝ', 'Ａｂ', '𝐀𝐛', '𐐀𐐨', '𞤀𞤢', 'Ⰰⰰ', 'ꙮ', 'Ⅷ', 'ⅷ', 'Ⓐⓐ', '々', 'ー'],
  // Marks alone, and where there is nothing to mark.
  ...['\u0301', ' \u0301', 'A\u0301b', 'a\u0301B', '\u20dd', '\u0903', '1\u0301', '\n\u0301', '\u0345', 'Z͑ͫ̓a̴l̷g̸o'],
  // Numbers of all kinds: in groups of three.
  ...['0', '1', '12', '123', '1234', '1234567', '٣', '٣٤٥٦', '४', '๓', '²', '½', '⑩', '〇', '三', '𝟗', '3.14', '1e9'],
  // White space, of which U+0085 is one and U+FEFF and U+200B are none.
  ...[' ', '  ', '   ', '\t', '\t\t', '\n', '\n\n', '\r', '\r\n', '\r\r\n', ' \n', '\n ', ' \n ', '\u0085', ' \u0085'],
  ...['\u00a0', '\u1680', '\u2000', '\u2003', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\v', '\f', '\u001c'],
  ...['\ufeff', '\u200b', '\u180e', '\u2060', '\u00ad', '\0', '\u0001', '\u007f', '\u009f'],
  // Punctuation and symbols, and what may stand behind them.
  ...['.', '...', '!', '?!', ',', ';', ':', '/', '//', './', '!/', '!\n/', '/\n', '\n/', '-', '--', '—', '_', '__'],
  ...['(', ')', '()', '[]', '{}', '<', '>', '</', '/>', '=>', '==', '&&', '||', '"', '""', '`', '```', '#', '##', '@'],
  ...['$', '€', '%', '^', '~', '+', '*', '**', '\\', '\\n', '|', '«', '»', '„', '。', '、', '？', '…', '·', '†', '№'],
  // Emoji: joined, coloured, flags, keycaps.
  ...['😀', '👍🏽', '👩‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '🇺', '1️⃣', '❤️', '❤', '\ufe0f', '\u200d', '🫠', '🪿', '☃', '✈︎', '🧑🏿‍🚀'],
  // Special tokens are text here.
  ...['<|endoftext|>', '<|endofprompt|>', '<|fim_prefix|>', '<|im_start|>', '<|endoftext|', '|>', '<|'],
  // Halves of surrogate pairs, and what is no character.
  ...['\ud83d', '\ude00', '\udfff', '\ud800', 'a\ud800b', '\ude00\ud83d', '\uffff', '\ufffe', '\ufdd0', '\ufffd', '\ue000'],
  ...['\u{10ffff}', '\u{e0041}', '\u{f0000}', '\u{1f000}', '\u0378', '\u{1fae9}', '\u{16d40}', '\ua7cd'],
  // Code.
  ...['function(', 'return ', 'const x = ', '    if (', '\t\treturn;\n', '});\n', 'std::vec', '->', 'https://a.b/c?d=e'],
  ...['SELECT *', '0xFF', '\\u00e9', '"key": ', 'a_b_c', 'a-b', '%20', 'user@host', 'C:\\', '$HOME', '{{x}}', '<div>'],
];

/** Ranges that single characters are taken from. */
const RANGES = [
  ...[[0x20, 0x7e], [0x20, 0x7e], [0x80, 0x24f], [0x250, 0x52f], [0x530, 0x10ff], [0x1100, 0x2fff]],
  ...[[0x3000, 0x9fff], [0xa000, 0xd7ff], [0xe000, 0xffff], [0x10000, 0x1ffff], [0x20000, 0x10ffff]],
];

/** Numbers by chance: xorshift of 32 bits. */
export class Chance {
  constructor(seed) {
    this.state = (Math.imul(seed, 0x9e3779b1) ^ 0x6c078965) >>> 0 || 1;
  }

  /** A whole number below `limit`. */
  below(limit) {
    let { state } = this;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.state = state >>> 0;
    return this.state % limit;
  }

  /** One of a list. */
  of(list) {
    return list[this.below(list.length)];
  }
}

/** The tokens of a file of ranks as OpenAI publishes it, of those that are text. */
export function tokensOf(file) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return fs
    .readFileSync(file, 'latin1')
    .split('\n')
    .flatMap((line) => {
      try {
        return [decoder.decode(Buffer.from(line.split(' ')[0], 'base64'))];
      } catch {
        return [];
      }
    })
    .filter((token) => token !== '');
}

/** A piece of text: one of those above, a token, characters of one range, or a run of one thing. */
function piece(chance, tokens) {
  switch (chance.below(10)) {
    case 0:
    case 1:
      return chance.of(tokens);
    case 2: {
      const [from, to] = chance.of(RANGES);
      const length = 1 + chance.below(4);
      const points = Array.from({ length }, () => from + chance.below(to - from + 1));
      return String.fromCodePoint(...points);
    }
    case 3:
      return chance.of(PIECES).repeat(1 + chance.below(chance.below(40) === 0 ? 60 : 4));
    case 4: {
      const token = chance.of(tokens);
      return chance.below(2) === 0 ? token.toUpperCase() : token.slice(chance.below(token.length));
    }
    default:
      return chance.of(PIECES);
  }
}

/** So many texts of a few pieces. */
export function hostileTexts(seed, count, tokens) {
  const chance = new Chance(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + chance.below(8) }, () => piece(chance, tokens)).join(''),
  );
}

/** Every piece alone, and every two of them behind each other. */
export function pairs() {
  return [...PIECES, ...PIECES.flatMap((one) => PIECES.map((other) => one + other))];
}

/** Long texts of so many UTF-16 units: files that there are, pieces as above, and pieces without any end. */
export function longTexts(seed, count, units, tokens, files) {
  const chance = new Chance(seed);
  const all = files.map((file) => fs.readFileSync(file, 'utf8')).join('\n');
  return Array.from({ length: count }, (_, index) => {
    switch (index % 4) {
      case 0: {
        const at = chance.below(all.length);
        return (all.slice(at) + all.repeat(Math.ceil(units / all.length))).slice(0, units);
      }
      case 1:
        return upTo(units, () => piece(chance, tokens));
      case 2:
        return upTo(units, () => chance.of(tokens).trim());
      default: {
        const alphabet = chance.of(['abcdefghijklmnopqrstuvwxyz', '漢字仮名交文日本語', 'aábcčdď', '=-_*#', '👍😀🏽']);
        return upTo(units / 4, () => chance.of([...alphabet]));
      }
    }
  });
}

/** Text of so many units. */
function upTo(units, next) {
  const parts = [];
  for (let length = 0; length < units; ) {
    const part = next();
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
