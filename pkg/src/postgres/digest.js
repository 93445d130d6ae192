// SHA-256, of a module that is loaded with the first statement.

/** @type {typeof import('node:crypto') | undefined} */
let crypto;

/**
 * @param {Uint8Array | string} content
 * @returns {Promise<Buffer>}
 */
export async function sha256(content) {
  crypto ??= (await import('node:crypto')).default;
  return crypto.createHash('sha256').update(content).digest();
}
