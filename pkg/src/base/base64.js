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

/** Bytes that are encoded in one go: a multiple of three, so that the texts of all follow on each other. */
const CHUNK = 0x6000;

/**
 * Decodes base64 to bytes without the methods of a `Buffer`.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesFromBase64(text) {
  const bytes = fromBase64(text);
  // A short buffer is a part of a larger one, which others share.
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

/**
 * Encodes bytes by the fastest way that the host has.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toBase64(bytes) {
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const { toBase64: encode } = /** @type {any} */ (Uint8Array.prototype);
  if (encode !== undefined) return encode.call(bytes);

  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}

/**
 * Encodes bytes as the bytes of a base64 text, which never is there as a string.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function base64Bytes(bytes) {
  const encoder = new TextEncoder();
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    encoder.encodeInto(toBase64(bytes.subarray(at, at + CHUNK)), text.subarray((at / 3) * 4));
  }
  return text;
}
