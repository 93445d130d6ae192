/**
 * Decodes base64 by the fastest way that the host has.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function fromBase64(text) {
  if (typeof Buffer === 'function') return Buffer.from(text, 'base64');
  const { fromBase64: decode } = /** @type {any} */ (Uint8Array);
  if (decode !== undefined) return decode.call(Uint8Array, text);

  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
