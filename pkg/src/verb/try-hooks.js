// Before `milepost hooks status` and `milepost doctor`: runs what is registered as agents run it, for `doctor` ten times,
// and has the command line say what came of it.
//
// Settings may come with a clone, and nothing of a clone is run here: a line that stands in a project counts only where
// it is, to the letter, what `hooks install` writes, and what it runs is this very package, or the native program that
// the PATH has outside of the project. The words for a native program are given to the file that was looked at, because
// a shell may find another one.

import processes from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { isDeno } from '../host/node/permission.js';
import { agents, programs, scripts } from '../base/precedence.json';
import { entriesOf, fileOf, nativeFile, nativeOf } from '../program/precedence.js';
import { replyOf, requestOf } from '../wasm/wire.js';
import { TRIAL, WORKS } from '../base/trial.js';

/** As long as a hook may take. */
const LIMIT_MS = 10_000;

/** So many events are timed, and the one in the middle counts. */
const TIMED = 10;

/** Characters that `hooks install` does not write in the file of a native program. */
const SPECIAL = /["$`%!\\\r\n]/;

/** The event in a line for Copilot CLI, whose payloads do not say which event they are of. */
const EVENT_OF_COPILOT = / hook copilot ([A-Za-z]+)/;

/** Variables by which agents name the project. */
const PROJECT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CURSOR_PROJECT_DIR'];

/** @typedef {import('../host/database/reach.js').Named} Named */

/**
 * The program that is run, whether it is the native one, the words behind it or behind `node`, whether agents have a
 * shell read them, and the database that runs are kept in.
 *
 * @typedef {{file: string, isNative: boolean, words: string[], isOfShell: boolean, store: Named | null}} Line
 */

/**
 * A database, and whether the user has named it: in the call, or in settings that no clone brings.
 *
 * @typedef {{named: Named, isOfUser: boolean}} RegisteredHook
 */

/** The scope of settings that may come with a clone. */
const OF_PROJECT = 'project';

/** The words that name a database, as `hooks install` writes them. */
const STORE = / --store env:(\w*) --project (?:([\w.-]+)|"([^"$`%!\\\r\n]+)")/;

/** Nothing else that a variable may hold is sent anywhere because settings name it. */
const URL_OF_DATABASE = /^postgres(ql)?:\/\//;

/**
 * Runs the lines, and has the command line go on.
 *
 * @param {any} options of the verb
 * @param {import('milepost:hosted').Hosting} host
 * @returns {Promise<number>} the exit code
 */
export async function run({ store, examines, fix, look_only }, host) {
  const root = isDeno ? null : rootOf(host);
  const registered = store || root === null || !examines || look_only ? null : registeredIn(root);
  const found = store ? { named: store, isOfUser: true } : registered;
  const database = found === null ? null : { ...found, makes: fix && found.isOfUser };
  return host.goOn({ runs: root === null ? [] : runsIn(root, examines ? TIMED : 1) }, database);
}

/**
 * The database that hooks of the project keep runs in.
 *
 * @param {string} root
 * @returns {RegisteredHook | null}
 */
function registeredIn(root) {
  const all = Object.entries(agents).flatMap(([agent, places]) => {
    return places.flatMap((place) => storesOf(place, agent, root));
  });
  const [first] = all;
  if (first === undefined) return null;
  const { named } = first;
  const value = named.variable === null ? '' : process.env[named.variable];
  if (value && !URL_OF_DATABASE.test(value)) return null;
  const isOfIt = (/** @type {Named} */ it) => it.variable === named.variable && it.project === named.project;
  return { named, isOfUser: all.some((it) => it.isOfUser && isOfIt(it.named)) };
}

/**
 * The databases that lines in a file of settings name.
 *
 * @param {import('../program/precedence.js').Place} place
 * @param {string} agent
 * @param {string} root
 * @returns {RegisteredHook[]}
 */
function storesOf(place, agent, root) {
  const isOfUser = place.scope !== OF_PROJECT;
  const stores = entriesOf(place, root).map((command) => lineOf(command, agent, place.scope)?.store ?? null);
  return stores.flatMap((named) => (named === null ? [] : [{ named, isOfUser }]));
}

/**
 * @param {import('milepost:hosted').Hosting} host
 * @returns {string | null} null where it is unknown, which the command line says
 */
function rootOf(host) {
  const { ok, value } = replyOf(host.operate(requestOf('location', host.place)));
  return ok ? value.root : null;
}

/**
 * The results of the lines that are registered.
 *
 * @param {string} root
 * @param {number} times that each line is run, once it works
 */
function runsIn(root, times) {
  const runs = [];
  for (const [agent, places] of Object.entries(agents)) {
    for (const place of places) {
      const command = entriesOf(place, root).find((entry) => lineOf(entry, agent, place.scope) !== null);
      const line = command === undefined ? null : lineOf(command, agent, place.scope);
      if (command === undefined || line === null) continue;
      const program = line.isNative ? nativeFile(line.file) : fileOf(line.file, root);
      const isOfUser = 'folder' in place;
      if (program !== null && !isOfUser && !isTrusted(program, line, root)) continue;
      if (program === null) {
        const where = line.file === programs.native ? 'on the PATH' : 'there';
        runs.push({ command, failure: `${line.file} is not ${where}` });
        continue;
      }
      runs.push({ command, ...resultOf(times, () => failureOf(command, line, program, path.resolve(root))) });
    }
  }
  return runs;
}

/**
 * The failure of a line, or how long it took, in microseconds, where it was run several times.
 *
 * @param {number} times
 * @param {() => string | null} run
 * @returns {{failure?: string, us?: number}}
 */
function resultOf(times, run) {
  const taken = [];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    const failure = run();
    if (failure !== null) return { failure };
    taken.push(performance.now() - begun);
  }
  if (times === 1) return {};
  const sorted = taken.sort((one, other) => one - other);
  return { us: Math.round((sorted[times >> 1] ?? 0) * 1000) };
}

/**
 * Returns true for a program that no clone brings: this package, and the native program that the PATH has outside of
 * the project.
 *
 * @param {string} program
 * @param {Line} line
 * @param {string} root
 */
function isTrusted(program, { isNative }, root) {
  if (!isNative) return isThisPackage(program);
  const onPath = nativeFile(programs.native);
  return onPath !== null && isSame(program, onPath) && isOutside(program, root) && isOutside(onPath, root);
}

/**
 * A command as `hooks install` writes it; null for any other.
 *
 * @param {string} command
 * @param {string} agent
 * @param {string} scope
 * @returns {Line | null}
 */
function lineOf(command, agent, scope) {
  const native = nativeOf(command);
  if (native !== null) return nativeLineOf(native, command, agent, scope);
  if (command.startsWith('[')) return wordsOf(command, agent);
  for (const script of scripts) {
    const before = `node -e "${script}" `;
    if (!command.startsWith(before)) continue;
    const rest = command.slice(before.length);
    const [, variable, plain, quoted] = STORE.exec(rest) ?? [];
    const store = variable === undefined ? null : { variable: variable || null, project: plain ?? quoted ?? '' };
    const line = store === null ? rest : rest.replace(STORE, '');
    const found = /^(?:"([^"$`%!\r\n]+)"|([\w./-]+)) ([\w-]+)((?: [A-Za-z]+){0,2}) ; exit 0$/.exec(line);
    if (found?.[3] !== agent) continue;
    const file = found[1] ?? found[2] ?? '';
    const more = found[4]?.split(' ').slice(1) ?? [];
    const words = ['-e', script, file, agent, ...more, ...(store === null ? [] : wordsOfStore(store))];
    return { file, isNative: false, words, isOfShell: true, store };
  }
  return null;
}

/**
 * A command of the native program, where it is to the letter what `hooks install` writes: by its name, or by an absolute
 * file.
 *
 * @param {string} file
 * @param {string} command
 * @param {string} agent
 * @param {string} scope
 * @returns {Line | null}
 */
function nativeLineOf(file, command, agent, scope) {
  const isName = file === programs.native;
  if (!isName && (!path.isAbsolute(file) || SPECIAL.test(file))) return null;
  const isOfPlugin = command.startsWith('[');
  const [, event] = (agent === 'copilot' && EVENT_OF_COPILOT.exec(command)) || [];
  const words = ['hook', agent, ...(event ? [event] : []), ...(scope === OF_PROJECT ? [] : [scope])];
  const written = isOfPlugin
    ? JSON.stringify([file, ...words])
    : `${isName ? file : `"${file}"`} ${words.join(' ')} ; exit 0`;
  return command === written ? { file, isNative: true, words, isOfShell: false, store: null } : null;
}

/** @param {Named} store */
function wordsOfStore({ variable, project }) {
  return ['--store', `env:${variable ?? ''}`, '--project', project];
}

/**
 * Returns the line of a plugin, which has words instead of a line.
 *
 * @param {string} command
 * @param {string} agent
 * @returns {Line | null}
 */
function wordsOf(command, agent) {
  try {
    const words = JSON.parse(command);
    const [node, flag, script, file, name] = words;
    const isKnown = node === 'node' && flag === '-e' && scripts.includes(script) && name === agent;
    const [option, variable, , project] = words.slice(words.indexOf('--store'));
    const store = option === '--store' ? { variable: variable.replace('env:', '') || null, project } : null;
    return isKnown ? { file, isNative: false, words: words.slice(1), isOfShell: false, store } : null;
  } catch {
    return null;
  }
}

/** @param {string} program */
function isThisPackage(program) {
  return isSame(program, path.join(path.dirname(__dirname), programs.node.replace(/^[^/]+\//, '')));
}

/**
 * Returns true for two paths of one file.
 *
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other);
  } catch {
    return false;
  }
}

/**
 * Why a line does not work; null where it does.
 *
 * @param {string} command
 * @param {Line} line
 * @param {string} program that it runs
 * @param {string} root
 * @returns {string | null}
 */
function failureOf(command, line, program, root) {
  const isWindows = process.platform === 'win32';
  const variables = Object.fromEntries(PROJECT_VARIABLES.map((name) => [name, root]));
  // No program is looked for in the folder where a line runs, which may be a clone.
  const ofPath = isWindows ? {} : { PATH: absoluteFolders().join(path.delimiter) || '/usr/bin:/bin' };
  /** @type {import('node:child_process').SpawnSyncOptionsWithStringEncoding} */
  const how = {
    cwd: root,
    env: { ...process.env, ...variables, ...ofPath },
    input: `${JSON.stringify({ hook_event_name: TRIAL, cwd: root })}\n`,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    windowsHide: true,
  };
  const node = isWindows ? nodeOnPath(root) : 'node';
  if (node === undefined) return 'node is not on the PATH';
  const { isNative, words, isOfShell } = line;
  // Windows looks for programs in the working folder first, and a clone may have a `node.cmd`.
  const run =
    isOfShell && !isWindows
      ? processes.spawnSync(command, { ...how, shell: true })
      : processes.spawnSync(isNative ? program : node, words, how);
  if (run.stdout?.trim() === WORKS) return null;
  const said = run.stderr?.trim().split('\n', 1)[0];
  return run.error?.message || said || 'it ended without an answer';
}

/**
 * The first `node.exe` on the PATH that is outside of the project; undefined without one.
 *
 * @param {string} root
 */
function nodeOnPath(root) {
  const files = absoluteFolders().map((folder) => path.join(folder, 'node.exe'));
  return files.find((file) => isOutside(file, root));
}

/** The folders of the PATH that do not depend on where a program is started. */
function absoluteFolders() {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/**
 * Returns true for a file that is there, and not in the folder: neither itself nor, for a link, what it leads to.
 *
 * @param {string} file
 * @param {string} folder
 */
function isOutside(file, folder) {
  try {
    const [end, ...paths] = [folder, path.dirname(file), file].map((it) => fs.realpathSync.native(it));
    return paths.every((at) => at !== end && !at.startsWith(`${end}${path.sep}`));
  } catch {
    return false;
  }
}
