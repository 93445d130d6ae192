// `milepost`, the command line: hands over the words and performs what they ask for.

import { isatty } from 'node:tty';
import { start_command_line } from 'milepost:glue';
import { perform, place } from 'milepost:host';
import { isDenied } from './host/node/fault.js';
import { variable } from './host/node/permission.js';
import { run } from './instance.js';

/** sysexits.h: an error of the program itself, and of input or output. */
const EX_SOFTWARE = 70;
const EX_IOERR = 74;

try {
  const isTerminal = isatty(1) && variable('TERM') !== 'dumb';
  const request = {
    arguments: process.argv.slice(2),
    place: place(),
    color: isTerminal && !variable('NO_COLOR'),
    width: isTerminal ? process.stdout.columns ?? 0 : null,
  };
  process.exitCode = Number(run(JSON.stringify(request), perform, start_command_line));
} catch (error) {
  // Node's own code for an uncaught error, 1, would say that the answer is no.
  if (error instanceof Error && isDenied(error)) {
    console.error(`milepost: ${error.message}`);
    process.exitCode = EX_IOERR;
  } else {
    console.error(error);
    process.exitCode = EX_SOFTWARE;
  }
}
