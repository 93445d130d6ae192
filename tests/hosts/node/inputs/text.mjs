// The texts of the table: written out, or made of a few words.

/** The value itself, or the one of `each` that the case runs with. */
export function chosen(value, each) {
  return value?.each === true ? each : value;
}

/** @returns {string} */
export function string(value, each) {
  return bytes(value, each).toString('utf8');
}

/** The bytes that a value of the table stands for. */
export function bytes(value, each) {
  const text = chosen(value, each);
  if (typeof text === 'string') return Buffer.from(text);
  const [[name, argument]] = Object.entries(text);
  return MAKERS[name](argument, each);
}

const MAKERS = {
  join: (parts, each) => Buffer.concat(parts.map((part) => bytes(part, each))),
  repeat: ([text, count], each) => Buffer.from(string(text, each).repeat(chosen(count, each))),
  count: ([text, count]) =>
    Buffer.from(Array.from({ length: count }, (_, at) => text.replaceAll('#', at)).join('')),
  nest: (depth, each) => {
    const levels = chosen(depth, each);
    return Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  },
  base64: (text) => Buffer.from(text, 'base64'),
};
