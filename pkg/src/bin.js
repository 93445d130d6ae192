// `milepost`, the command line: hands over the words and performs what they ask for.

import os from 'node:os';
import path from 'node:path';
import tty from 'node:tty';
import { load } from 'milepost:database';
import { hosted, startHook } from 'milepost:hosted';
import { perform, place } from 'milepost:host';
import AGENTS from './agents.json';
import { EFFECTS } from './border.js';
import { codeOf, isDenied } from './host/node/fault.js';
import { isDeno, variable } from './host/node/permission.js';
import { print } from './host/node/system.js';
import { ofObjects } from './host/objects.js';
import { hostedOf, run as operate, runCommandLine, storeOf, validateSummary } from './instance.js';
import { programOf } from './program.js';
import { sentence } from './tell.js';
import { visible } from './visible.js';

/** @typedef {{arguments: string[], place: object, user: object, [member: string]: unknown}} Request */

/** sysexits.h: the host cannot run this program; an error of input or output. */
const EX_SOFTWARE = 70;
const EX_IOERR = 74;

/** What moves the settings of coding agents, and what names the session of a shell command. */
const VARIABLES = ['CLAUDE_CODE_SESSION_ID', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'XDG_CONFIG_HOME'];

/** Effects that a database performs. */
const RECORDS = new Set(['readRecord', 'swapRecord', 'listRecords']);

if (isHook(process.argv.slice(2))) {
  // Its own words are the same, without the verb where that is `hook`.
  if (process.argv[2] === 'hook') process.argv.splice(2, 1);
  startHook();
} else {
  runVerb();
}

/**
 * Whether the words are those of an agent's hook, which has a program of its own: that waits for the end of
 * its input no longer than for the end of an object.
 *
 * @param {string[]} words
 */
function isHook([verb, agent, event = '', ...more]) {
  if (verb === 'statusline') return agent === undefined;
  return verb === 'hook' && Object.hasOwn(AGENTS, agent) && !event.startsWith('-') && more.length === 0;
}

function runVerb() {
  try {
    const isTerminal = tty.isatty(1) && variable('TERM') !== 'dumb';
    const canRedraw = tty.isatty(2) && variable('TERM') !== 'dumb' && !variable('CI');
    const at = here();
    const program = started(at.working);
    /** @type {Request} */
    const request = {
      arguments: process.argv.slice(2),
      place: at,
      program,
      color: isTerminal && !variable('NO_COLOR'),
      width: isTerminal ? process.stdout.columns ?? 0 : null,
      interactive: [0, 1, 2].every((descriptor) => tty.isatty(descriptor)),
      progress: canRedraw ? (isTerminal ? process.stdout : process.stderr).columns ?? 0 : null,
      user: user(),
    };
    const asked = isHosted(request.arguments) ? hostedOf(JSON.stringify(request)) : null;
    if (asked !== null) {
      const { root, dir } = asked.options;
      const host = {
        place: { ...request.place, root, dir },
        program,
        operate: (/** @type {string} */ text) => operate(text, perform),
        goOn: (/** @type {object} */ told) => run({ ...request, user: { ...request.user, ...told } }, perform),
        validateSummary,
      };
      hosted[asked.verb]().run(asked.options, host).then(end, fail);
    } else {
      end(isStored(request.arguments) ? overDatabase(request) : run(request, perform));
    }
  } catch (error) {
    fail(error);
  }
}

/** @param {number} code */
function end(code) {
  process.exitCode = code;
}

/** @param {unknown} error */
function fail(error) {
  // Node's own code for an uncaught error, 1, would say that the answer is no.
  const isOutside = isDenied(error) || codeOf(error) !== '';
  end(isOutside ? EX_IOERR : EX_SOFTWARE);
  try {
    print(2, Buffer.from(`milepost: ${visible(sentence(error))}\n`));
  } catch {
    // Nobody listens. The exit code still speaks.
  }
}

/**
 * Whether the words may name a verb that is done here and not in the wasm. That too is for the definition of all
 * words to say.
 *
 * @param {string[]} words
 */
function isHosted(words) {
  return words.some((word) => Object.hasOwn(hosted, word));
}

/**
 * @param {object} request
 * @param {import('./border.js').Perform} host
 */
function run(request, host) {
  return runCommandLine(JSON.stringify(request), host);
}

/**
 * Whether the words may name a database. What they mean is for the definition of all words to say, which a
 * call without one is spared.
 *
 * @param {string[]} words
 */
function isStored(words) {
  return words.some((word) => word.startsWith('--store'));
}

/**
 * The same with records in the database that the words name: a thread asks it, for which this one waits.
 *
 * @param {Request} request
 */
function overDatabase(request) {
  const store = storeOf(JSON.stringify(request));
  if (store === null) return run(request, perform);
  const { variable: name, project } = store;
  if (name !== null && !variable(name)) {
    const message = `The environment variable ${name} is not set: expected the connection string of a database in it`;
    return run({ ...request, unreachable: { code: 'usage', message } }, perform);
  }
  const database = load().open(name, project);
  if ('failed' in database) return run({ ...request, unreachable: database.failed }, perform);
  const onRecords = ofObjects(database.perform);
  try {
    return run({ ...request, place: { ...request.place, ...database.place } }, (effect, ...rest) =>
      RECORDS.has(EFFECTS[effect]) ? onRecords(effect, ...rest) : perform(effect, ...rest),
    );
  } finally {
    database.close();
  }
}

/**
 * The words that start this program again.
 *
 * @param {string} working
 */
function started(working) {
  return programOf({
    files: [process.argv[1] ?? '', __dirname],
    working,
    agent: variable('npm_config_user_agent') ?? '',
    isDeno,
    isBun: process.versions.bun !== undefined,
    isPnp: process.versions.pnp !== undefined,
  });
}

/**
 * What is known of the user, whose settings may be asked for, and where this package lies. Nobody who asks
 * for permissions is asked for these.
 */
function user() {
  /** @type {Record<string, string>} */
  const variables = {};
  for (const name of VARIABLES) {
    const value = variable(name);
    if (value) variables[name] = value;
  }
  const home = variable('HOME') || variable('USERPROFILE') || (isDeno ? null : os.homedir());
  return { home, package: path.dirname(__dirname), variables };
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
