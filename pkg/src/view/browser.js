// Opening a page in the browser of whoever sits there.

import childProcess from 'node:child_process';

/** What opens an address, by platform; nothing of it is read by a shell. */
const OPENERS = /** @type {Record<string, [string, string[]] | undefined>} */ ({
  darwin: ['open', []],
  // `start` is a word of a shell; this is the program that it runs.
  win32: ['rundll32', ['url.dll,FileProtocolHandler']],
});
const ELSEWHERE = /** @type {[string, string[]]} */ (['xdg-open', []]);

/**
 * Whether there is a browser that somebody would see.
 *
 * @param {{platform: string, variables: Record<string, string | undefined>, isTerminal: boolean}} about
 */
export function hasBrowser({ platform, variables, isTerminal }) {
  if (!isTerminal || variables.SSH_CONNECTION || variables.SSH_TTY || variables.CI) return false;
  if (OPENERS[platform] !== undefined) return true;
  return Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY);
}

/**
 * Opens an address. Where that fails, the address was printed.
 *
 * @param {string} address
 * @param {string} platform
 */
export function open(address, platform) {
  const [program, words] = OPENERS[platform] ?? ELSEWHERE;
  const child = childProcess.spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
