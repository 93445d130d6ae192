// `milepost`, the command line: hands over the words and performs what they ask for.

import tty from 'node:tty';
import { perform, place } from 'milepost:host';
import { codeOf, isDenied } from './host/node/fault.js';
import { variable } from './host/node/permission.js';
import { print } from './host/node/system.js';
import { runCommandLine } from './instance.js';
import { sentence, visible } from './tell.js';

/** sysexits.h: the host cannot run this program; an error of input or output. */
const EX_SOFTWARE = 70;
const EX_IOERR = 74;

try {
  const isTerminal = tty.isatty(1) && variable('TERM') !== 'dumb';
  const canRedraw = tty.isatty(2) && variable('TERM') !== 'dumb' && !variable('CI');
  const request = {
    arguments: process.argv.slice(2),
    place: here(),
    color: isTerminal && !variable('NO_COLOR'),
    width: isTerminal ? process.stdout.columns ?? 0 : null,
    interactive: [0, 1, 2].every((descriptor) => tty.isatty(descriptor)),
    progress: canRedraw ? (isTerminal ? process.stdout : process.stderr).columns ?? 0 : null,
  };
  process.exitCode = runCommandLine(JSON.stringify(request), perform);
} catch (error) {
  // Node's own code for an uncaught error, 1, would say that the answer is no.
  const isOutside = isDenied(error) || codeOf(error) !== '';
  process.exitCode = isOutside ? EX_IOERR : EX_SOFTWARE;
  try {
    print(2, Buffer.from(`milepost: ${visible(sentence(error))}\n`));
  } catch {
    // Nobody listens. The exit code still speaks.
  }
}

/** Where this process works, or the sentence that the folder is gone. */
function here() {
  try {
    return place();
  } catch (cause) {
    if (codeOf(cause) === '') throw cause;
    const [reason] = sentence(cause).split(', ', 1);
    const message = `The working folder is gone, or may not be read: ${reason}`;
    throw Object.assign(new Error(message, { cause }), { code: codeOf(cause) });
  }
}
