// `milepost view`: the page that shows every checkpoint of the project, served to browsers of this machine.

import path from 'node:path';
import process from 'node:process';
import tty from 'node:tty';
import { version } from '../../package.json';
import { codeOf } from '../host/node/fault.js';
import { EXIT, Refusal } from '../client/operations.js';
import { hasBrowser, open } from './view/browser.js';
import { Console } from './view/console.js';
import { makeMirror, placeOf, removeMirror } from './view/mirror.js';
import { ViewServer } from './view/server.js';
import { leave, onSignal } from './view/signals.js';

/** @typedef {import('../base/messages.js').SecretFilter} SecretFilter */
/** @typedef {{json: boolean, quiet: boolean, port: number | null, no_open: boolean}} Options */

/** Why no port could be had. */
const PORT_FAULTS = /** @type {Record<string, string | undefined>} */ ({
  EADDRINUSE: 'it is in use; name another one, or none',
  EACCES: 'it is kept for the system; name one above 1023, or none',
});

/**
 * Serves until the user ends it, or long after the last page left.
 *
 * @param {any} options of the verb; see {@link Options}
 * @param {import('../client/operations.js').Host & SecretFilter & {store?: import('../host/database/reach.js').Named}} host
 * @returns {Promise<number>} the exit code
 */
export async function run(options, host) {
  const { port, no_open } = /** @type {Options} */ (options);
  const out = new Console(options, host);
  let end = leave;
  // A copy goes with the program from its first moment.
  onSignal((signal) => end(signal));
  const mirror = host.store === undefined ? null : makeMirror();
  const server = new ViewServer({
    ...{ place: mirror === null ? host.place : placeOf(host.place, mirror), store: host.store, program: host.program },
    ...{ version, port },
    pages: path.join(__dirname, 'viewer'),
    thread: path.join(__dirname, 'thread.cjs'),
  });
  try {
    await server.start();
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, message } = error.error;
      out.say('error', { code, message });
      return error.exit;
    }
    const code = codeOf(error);
    if (code === '') throw error;
    const shown = port === null ? 'No port of this machine can be listened on' : `Port ${port} cannot be listened on`;
    out.say('error', { code: 'io', message: `${shown}: ${PORT_FAULTS[code] ?? code}` });
    return EXIT.io;
  }
  end = () => void server.stop();
  out.answer({ url: server.address, port: server.port }, server.address);
  const about = { platform: process.platform, variables: process.env, isTerminal: tty.isatty(1) };
  const forget = !no_open && hasBrowser(about) ? open(server.address, process.platform) : () => {};
  void server.entered.then(forget);
  out.note('Only this machine is served, and nothing is changed. Ctrl-C ends it');
  await server.ended;
  if (mirror !== null) removeMirror(mirror);
  forget();
  return EXIT.done;
}

export { ViewServer };
