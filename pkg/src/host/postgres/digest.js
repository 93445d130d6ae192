// SHA-256, of a module that is loaded with the first statement.

/** @typedef {Uint8Array | string} Content */

/** @type {Promise<(content: Content) => string> | undefined} */
let loading;

/**
 * @param {Content} content
 * @returns {Promise<string>} in hexadecimal
 */
export async function sha256(content) {
  loading ??= crypto().then(hasher);
  return (await loading)(content);
}

/**
 * The module that hashes: a code that runs in a context of its own, as tests do, may not import.
 *
 * @returns {Promise<typeof import('node:crypto')>}
 */
async function crypto() {
  return globalThis.process?.getBuiltinModule?.('node:crypto') ?? (await import('node:crypto')).default;
}

/**
 * One call takes half the time of three, where there is one (from Node 20.12).
 *
 * @param {typeof import('node:crypto')} crypto
 * @returns {(content: Content) => string}
 */
function hasher(crypto) {
  if (typeof crypto.hash === 'function') return (content) => crypto.hash('sha256', content, 'hex');
  return (content) => crypto.createHash('sha256').update(content).digest('hex');
}
