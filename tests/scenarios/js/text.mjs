// Texts of scenarios: written out, or made of a few words. As src/text.rs; pages run it too.

const MAKERS = {
  join: (parts) => joined(parts.map(bytes)),
  repeat: ([text, count]) => encode(string(text).repeat(count)),
  count: ([text, count]) =>
    encode(Array.from({ length: count }, (_, at) => text.replaceAll('#', at)).join('')),
  nest: (depth) => encode('['.repeat(depth) + ']'.repeat(depth)),
  bytes: (numbers) => Uint8Array.from(numbers),
};

/** Returns whether a value is a text that is made. */
export function isMade(value) {
  if (typeof value !== 'object' || value === null) return false;
  const [name, ...others] = Object.keys(value);
  return others.length === 0 && Object.hasOwn(MAKERS, name ?? '');
}

/** @returns {string} */
export function string(value) {
  return typeof value === 'string' ? value : new TextDecoder().decode(bytes(value));
}

/** The bytes that a value stands for. */
export function bytes(value) {
  if (typeof value === 'string') return encode(value);
  if (!isMade(value)) throw new Error(`no text: ${JSON.stringify(value)}`);
  const [[name, argument]] = Object.entries(value);
  return MAKERS[name](argument);
}

/** Bytes as a scenario has them: a text, or `{"bytes": […]}` where they are not UTF-8. */
export function contentOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { bytes: [...bytes] };
  }
}

function encode(text) {
  return new TextEncoder().encode(text);
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
