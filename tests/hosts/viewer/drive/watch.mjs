// Events that must not happen in a page, while anything else does.

/** For a machine that does much else: what takes longer hangs. */
export const LIMIT_MS = Number(process.env.MILEPOST_TEST_LIMIT_MS ?? 120_000);

/** Runs in the page before anything of its own: reports of its policy are kept. */
export const WATCH = `
  globalThis.reports = [];
  addEventListener('securitypolicyviolation', (report) => {
    globalThis.reports.push(report.violatedDirective + ' ' + report.blockedURI + ' ' + report.sample);
  });
`;

/** Dialogs, errors, and requests to anywhere else than where the page is from. */
export class Watch {
  #seen = [];
  /** The addresses that requests may go to. */
  #home = [];
  /** All requests, by their addresses. */
  requests = [];

  /** The addresses that the page may ask for from now on: those that begin so. */
  isHome(...beginnings) {
    this.#home.push(...beginnings);
  }

  add(kind, text) {
    this.#seen.push(`${kind}: ${text}`);
  }

  request(address) {
    this.requests.push(address);
    const isOwn = ['blob:', 'data:', 'about:', ...this.#home].some((home) => address.startsWith(home));
    if (!isOwn) this.add('request', address);
  }

  /** All of it, but what a test has a reason to expect. */
  seen(expected = []) {
    return this.#seen.filter((text) => !expected.some((pattern) => pattern.test(text)));
  }
}
