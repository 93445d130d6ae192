// Decides which requests are answered. A page of any site can send requests to this machine, and a name of any site
// can lead to it; so what a request says of itself has to be exactly what the page of this server says.

import crypto from 'node:crypto';

/** A token and a cookie cannot be guessed with this many bytes. */
const SECRET_BYTES = 16;

/** The port that a browser leaves out. */
const DEFAULT_PORT = 80;

/** The policy of the page: nothing but what it has from here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types milepost',
].join('; ');

/** The headers of every answer. */
export const HEADERS = Object.freeze({
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
});

/** @typedef {import('node:http').IncomingMessage} Request */

export class Guard {
  #hosts;
  #cookie;
  /** @type {Buffer | undefined} until a page has exchanged it */
  #token;
  #secret = secret();

  /** The token in the address of the page, once. */
  token = secret();

  /** @param {number} port */
  constructor(port) {
    const names = ['127.0.0.1', 'localhost', '[::1]'];
    this.#hosts = new Set(names.map((name) => `${name}:${port}`));
    if (port === DEFAULT_PORT) for (const name of names) this.#hosts.add(name);
    this.#cookie = `milepost-${port}`;
    this.#token = digest(this.token);
  }

  /**
   * Returns whether it was sent to this server under a name that no site can have.
   *
   * @param {Request} request
   */
  isMeant({ headers: { host }, rawHeaders }) {
    const named = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    return named.length === 1 && host !== undefined && this.#hosts.has(host);
  }

  /**
   * Returns whether no other page had the browser send it.
   *
   * @param {Request} request
   */
  isOwn({ headers }) {
    const { origin, host } = headers;
    const site = headers['sec-fetch-site'];
    return (origin === undefined || origin === `http://${host}`) && (site === undefined || site === 'same-origin');
  }

  /**
   * Returns whether it has the cookie. A server on another port of this machine can put cookies of its own beside that.
   *
   * @param {Request} request
   */
  isLetIn({ headers: { cookie = '' } }) {
    const expected = digest(this.#secret);
    const named = cookie.split(/; */).filter((one) => one.startsWith(`${this.#cookie}=`));
    return named.some((one) => crypto.timingSafeEqual(digest(one.slice(this.#cookie.length + 1)), expected));
  }

  /**
   * Exchanges the token of the address for the cookie, once.
   *
   * @param {Request} request
   * @returns {string | null} `Set-Cookie`; `null` where it was another token
   */
  exchange({ headers: { authorization = '' } }) {
    const given = /^Bearer ([\w-]+)$/.exec(authorization)?.[1];
    if (given === undefined || this.#token === undefined) return null;
    if (!crypto.timingSafeEqual(digest(given), this.#token)) return null;
    this.#token = undefined;
    return `${this.#cookie}=${this.#secret}; Path=/; HttpOnly; SameSite=Strict`;
  }
}

function secret() {
  return crypto.randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Of one length, regardless of the input.
 *
 * @param {string} text
 */
function digest(text) {
  return crypto.createHash('sha256').update(text).digest();
}
