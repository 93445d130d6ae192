// The meaning of a receiver's answer.

/** @typedef {{outcome: 'delivered' | 'failed' | 'gone', why?: string, retryAfterMs?: number}} Outcome */

/** Answers of a receiver that has too much to do, and may say when to come back. */
const BUSY = new Set([429, 502, 503, 504]);
const GONE = 410;

/** @type {Outcome} */
export const DELIVERED = { outcome: 'delivered' };

/**
 * @param {import('./request.js').Answer} answer
 * @param {number} now in milliseconds since 1970
 * @returns {Outcome}
 */
export function outcomeOf({ status, headers }, now) {
  if (status >= 200 && status < 300) return DELIVERED;
  if (status === GONE) return { outcome: 'gone', why: 'it answered 410 Gone' };
  if (status >= 300 && status < 400) return failed(`it answered ${status}, and no redirect is followed`);
  const retryAfterMs = BUSY.has(status) ? retryAfter(headers['retry-after'], now) : undefined;
  return failed(`it answered ${status}`, retryAfterMs);
}

/**
 * @param {string} why
 * @param {number} [retryAfterMs]
 * @returns {Outcome}
 */
export function failed(why, retryAfterMs) {
  return retryAfterMs === undefined ? { outcome: 'failed', why } : { outcome: 'failed', why, retryAfterMs };
}

/**
 * Returns the time of a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
 *
 * @param {string | undefined} value
 * @param {number} now
 * @returns {number | undefined} milliseconds
 */
export function retryAfter(value, now) {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : undefined;
}
