// Opening a page in the user's browser. Every user of this machine can read the arguments of a program, and the address
// lets in: so a file that no other user can read leads there, and the browser is given that file.

import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';

/** The program that opens a file, by platform; nothing of it is read by a shell. */
const OPENERS = /** @type {Record<string, [string, string[]] | undefined>} */ ({
  darwin: ['open', []],
  // `start` is a word of a shell; this is the program that it runs.
  win32: ['rundll32', ['url.dll,FileProtocolHandler']],
});
const ELSEWHERE = /** @type {[string, string[]]} */ (['xdg-open', []]);

/**
 * Returns whether there is a browser that the user would see.
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
 * @param {string} address of this server: nothing of it means anything in HTML
 * @param {string} platform
 * @returns {() => void} removes what leads there, once it has let a page in or never will
 */
export function open(address, platform) {
  let remove = () => {};
  try {
    // Such a folder is for this user alone.
    const folder = fs.mkdtempSync(path.join(whereBrowsersRead(), 'milepost-view-'));
    remove = () => fs.rmSync(folder, { recursive: true, force: true });
    const file = path.join(folder, 'open.html');
    fs.writeFileSync(file, leadingTo(address), { mode: 0o600, flag: 'wx' });
    const [program, words] = OPENERS[platform] ?? ELSEWHERE;
    // As an address, in which no space has to be quoted: Windows hands on the quotes.
    const at = url.pathToFileURL(file).href;
    const child = childProcess.spawn(program, [...words, at], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // There is no room for it, or no right to it.
  }
  return () => {
    try {
      remove();
    } catch {
      // By now it lets no page in.
    }
  };
}

/** A browser out of a snap reads what is not hidden in the home of its user, and has a temporary folder of its own. */
function whereBrowsersRead() {
  const home = os.homedir();
  return fs.existsSync(path.join(home, 'snap')) ? home : os.tmpdir();
}

/** @param {string} address */
function leadingTo(address) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <meta http-equiv="refresh" content="0; url=${address}" />
    <title>Milepost</title>
  </head>
  <body><a href="${address}">The page of milepost view</a></body>
</html>
`;
}
