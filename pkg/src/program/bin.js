// `milepost`, the command line: hands over the words and performs what they ask for.

import os from 'node:os';
import path from 'node:path';
import tty from 'node:tty';
import { hosted, startHook } from 'milepost:hosted';
import { perform, place } from 'milepost:host';
import AGENTS from '../base/agents.json';
import { aliasOf } from '../host/node/alias.js';
import { Database, reach } from '../host/database/reach.js';
import { codeOf, isDenied } from '../host/node/fault.js';
import { isDeno, variable } from '../host/node/permission.js';
import { print } from '../host/node/system.js';
import { hostedOf, run as operate, runCommandLine, storeOf, validateSummary } from '../wasm/instance.js';
import { isOnPnp, programOf } from './program.js';
import { sentence } from '../base/messages.js';
import { visible } from '../base/visible.js';
import { withoutSecrets } from '../wasm/without-secrets.js';

/** @typedef {{arguments: string[], place: object, program: string, user: object, [member: string]: unknown}} Request */

/** sysexits.h: the host cannot run this program; an error of input or output. */
const EX_SOFTWARE = 70;
const EX_IOERR = 74;

/** Variables that move the settings of coding agents, and those that name the session of a shell command. */
const VARIABLES = ['CLAUDE_CODE_SESSION_ID', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'XDG_CONFIG_HOME'];

if (isHook(process.argv.slice(2))) {
  // Its own words are the same, without the verb where that is `hook`.
  if (process.argv[2] === 'hook') process.argv.splice(2, 1);
  startHook();
} else {
  runVerb();
}

/**
 * Returns whether the words are those of an agent's hook, which has a program of its own: that waits for the end of
 * its input no longer than for the end of an object.
 *
 * @param {string[]} words
 */
function isHook([verb, agent, ...words]) {
  const store = words.indexOf('--store');
  if (store >= 0) words.splice(store, 4);
  const [event = '', ...more] = words;
  if (verb === 'statusline') return agent === undefined;
  return verb === 'hook' && Object.hasOwn(AGENTS, agent) && !event.startsWith('-') && more.length === 0;
}

function runVerb() {
  try {
    const isTerminal = tty.isatty(1) && variable('TERM') !== 'dumb';
    const canRedraw = tty.isatty(2) && variable('TERM') !== 'dumb' && !variable('CI');
    const at = here();
    const program = started(at.working);
    const words = process.argv.slice(2);
    /** @type {Request} */
    const request = {
      arguments: words,
      place: { ...at, alias: otherName(words, at.working) },
      program,
      color: isTerminal && !variable('NO_COLOR'),
      width: isTerminal ? process.stdout.columns ?? 0 : null,
      interactive: [0, 1, 2].every((descriptor) => tty.isatty(descriptor)),
      progress: canRedraw ? (isTerminal ? process.stdout : process.stderr).columns ?? 0 : null,
      user: user(),
    };
    const asked = isHosted(request.arguments) ? hostedOf(JSON.stringify(request)) : null;
    if (asked !== null) {
      runHosted(asked, request);
    } else {
      end(isStored(request.arguments) ? overDatabase(request) : run(request, perform));
    }
  } catch (error) {
    fail(error);
  }
}

/**
 * Has this host do a verb by itself, in files or in the database that the words name.
 *
 * @param {{verb: string, options: Record<string, any>}} asked
 * @param {Request} request
 */
function runHosted({ verb, options }, request) {
  const { root, dir, store } = options;
  const place = { ...request.place, root, dir };
  /** @type {import('milepost:hosted').Hosting} */
  const host = {
    place,
    program: request.program,
    operate: (text) => operate(text, perform),
    goOn: (known, database) => goOn({ ...request, user: { ...request.user, ...known } }, database),
    validateSummary,
    withoutSecrets,
  };
  if (!store || options.examines) {
    hosted[verb]().run(options, host).then(end, fail);
    return;
  }
  const database = new Database(store, perform);
  const reached = database.reach();
  if ('failed' in reached) return end(run({ ...request, unreachable: reached.failed }, perform));
  Object.assign(host, {
    store,
    place: { ...place, ...reached.place },
    operate: (/** @type {string} */ text) => database.operate((onRecords) => operate(text, onRecords)),
  });
  const running = hosted[verb]().run(options, host);
  running.finally(() => database.close()).then(end, fail);
}

/**
 * Runs the command line in files, and says what there is to know of a database beside them.
 *
 * @param {Request & {user: object}} request
 * @param {import('milepost:hosted').Beside | null} [beside]
 */
function goOn(request, beside) {
  if (!beside) return run(request, perform);
  const { named, isOfUser, makes } = beside;
  const of = (/** @type {object} */ more) => {
    const database = { ...named, is_of_user: isOfUser, ...more };
    return { ...request, user: { ...request.user, database } };
  };
  const reached = reach(named, perform, { makes });
  if ('failed' in reached) {
    const { code, message } = reached.failed;
    return run(of(code === 'not_found' ? { is_empty: true } : { reason: message }), perform);
  }
  try {
    return run(of({ dir: reached.place.dir }), reached.perform);
  } finally {
    reached.close();
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
    print(2, Buffer.from(`milepost: ${visible(withoutSecrets(sentence(error)))}\n`));
  } catch {
    // The output is closed. The exit code still speaks.
  }
}

/**
 * Returns whether the words may name a verb that is done here and not in the wasm. That too is for the definition of
 * all words to say.
 *
 * @param {string[]} words
 */
function isHosted(words) {
  return words.some((word) => Object.hasOwn(hosted, word));
}

/**
 * @param {object} request
 * @param {import('../wasm/ffi.js').Perform} host
 */
function run(request, host) {
  return runCommandLine(JSON.stringify(request), host);
}

/**
 * Returns whether the words may name a database. What they mean is for the definition of all words to say, which a
 * call without one is spared.
 *
 * @param {string[]} words
 */
function isStored(words) {
  return words.some((word) => word.startsWith('--store'));
}

/**
 * Runs a call with records in the database that the words name: a thread asks it, for which this one waits.
 *
 * @param {Request} request
 */
function overDatabase(request) {
  const store = storeOf(JSON.stringify(request));
  if (store === null) return run(request, perform);
  const reached = reach(store, perform);
  if ('failed' in reached) return run({ ...request, unreachable: reached.failed }, perform);
  try {
    return run({ ...request, place: { ...request.place, ...reached.place } }, reached.perform);
  } finally {
    reached.close();
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
    isPnp: isOnPnp(),
    options: variable('NODE_OPTIONS') ?? '',
  });
}

/**
 * Facts about the user, whose settings may be asked for, and the place of this package. A host that asks
 * for permissions does not ask for these.
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

/**
 * The name that a shell gives the working folder, where absolute paths may begin with it. Deno would ask its user for
 * the folders above.
 *
 * @param {string[]} words
 * @param {string} working
 */
function otherName(words, working) {
  const isTyped = words.some((word) => path.isAbsolute(word.slice(word.indexOf('=') + 1)) || path.isAbsolute(word));
  const typed = isTyped || words.includes('mcp');
  return typed && !isDeno ? aliasOf(variable('PWD') ?? '', working) : null;
}

/** The location that this process works on, or the sentence that the folder is gone. */
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
