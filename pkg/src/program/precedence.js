// The one of several entries that takes an event: an agent may run one in the settings of the project, one in those of
// the user, and one of a plugin, and Copilot CLI and Cursor also run those of Claude Code. Two of them would write the
// same twice and give the agent everything twice. The core says the order (`precedence.json`). An entry later in it
// looks for those before it, so that it does not matter which one is started first, and the first one asks nothing.

import fs from 'node:fs';
import { agents, programs, trust } from '../base/precedence.json';

// A hook of the project is not to load them.
const { homedir } = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/** @typedef {{scope: string, file: string, folder?: string, variable?: string}} Place */
/** @typedef {{file: string, folder: string, variable?: string, anyway?: string}} TrustFile */
/** @typedef {{command?: unknown, bash?: unknown, args?: unknown, hooks?: Handler[]}} Handler */

/** Scopes that a line names: those of the project are not named. */
export const SCOPES = ['user', 'local'];

/** The line of a plugin that has the words which start the hook. */
const PLUGIN_WORDS = /^const \[.*?\] = (\[.*\]);$/;

/**
 * A line that runs the native program, by its name or its file, with or without quotes, and the words of a plugin that
 * do.
 */
const NATIVE_LINE = /^(?:"((?:[^"]*\/)?milepost)"|(?!")((?:[^ ]*\/)?milepost)) hook ([^ ]+)/;
const NATIVE_WORDS = /^\["((?:[^"]*\/)?milepost)","hook",/;

/** The package of a workspace is at most so many folders above a project in it. */
const MAX_ABOVE = 4;

/**
 * An entry that was started, and for what.
 *
 * @typedef {object} Started
 * @property {string} agent whose settings it is in
 * @property {string} scope one of `SCOPES`, `project`, or `plugin`
 * @property {string} sender the agent that started it
 * @property {string} event as the sender calls it
 * @property {string | undefined} project what the agent's variable says
 * @property {string} folder where the agent works
 */

/**
 * Returns whether an entry before this one takes the event.
 *
 * @param {Started} started
 */
export function isLeftToAnother({ agent, scope, sender, event, project, folder }) {
  const end = placesOf(agent).findIndex((place) => place.scope === scope);
  const before = end < 0 ? placesOf(agent) : placesOf(agent).slice(0, end);
  const folders = project === undefined ? upToRepository(folder) : [project];
  // That it runs this one says that it runs all of the project's.
  const isInProject = scope === 'project' || scope === 'local';
  const all = (/** @type {string} */ agent) => isInProject || isTrusted(agent, folders);
  if (runs(before, event, folders, () => all(agent))) return true;
  // Its own entries name events otherwise, and are for all of them.
  return sender !== agent && runs(placesOf(sender), null, upToRepository(folder), () => all(sender));
}

/**
 * @param {string} agent
 * @returns {Place[]}
 */
function placesOf(agent) {
  /** @type {{[agent: string]: Place[]}} */
  const known = agents;
  return known[agent] ?? [];
}

/**
 * Returns whether an agent runs an entry in one of these places. Where it does not trust the project, it runs none of
 * that.
 *
 * @param {Place[]} places
 * @param {string | null} event null: any
 * @param {string[]} folders of the project
 * @param {() => boolean} isTrusted
 */
function runs(places, event, folders, isTrusted) {
  const found = places.filter((place) => hasEntry(place, event, folders));
  return found.some((place) => place.folder !== undefined) || (found.length > 0 && isTrusted());
}

/**
 * Returns whether an agent that runs hooks in trusted folders only trusts one of these. It keeps their paths as
 * strings.
 *
 * @param {string} agent
 * @param {string[]} folders
 */
function isTrusted(agent, folders) {
  /** @type {{[agent: string]: TrustFile}} */
  const known = trust;
  const place = known[agent];
  if (place === undefined || (place.anyway && process.env[place.anyway])) return true;
  try {
    const text = fs.readFileSync(ofUser(place), 'utf8');
    return folders.some((folder) => isTrustedIn(text, folder));
  } catch {
    return false;
  }
}

/**
 * @param {string} text
 * @param {string} folder
 */
function isTrustedIn(text, folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    const [, behind] = text.split(JSON.stringify(at), 2);
    if (behind !== undefined) return !/^\]?\s*trust_level\s*=\s*"untrusted"/.test(behind);
    if (at === path.dirname(at)) return false;
  }
}

/**
 * The path of a file below the user's home, or the folder that a variable names instead, is.
 *
 * @param {{file: string, folder?: string, variable?: string}} place
 */
function ofUser({ file, folder = '', variable }) {
  return path.join((variable && process.env[variable]) || path.join(homedir(), folder), file);
}

/**
 * A folder and those above it, up to that of its repository; alone without one.
 *
 * @param {string} folder
 */
function upToRepository(folder) {
  const folders = [folder];
  for (let at = folder; !fs.existsSync(path.join(at, '.git')); ) {
    const above = path.dirname(at);
    if (above === at) return [folder];
    folders.push(above);
    at = above;
  }
  return folders;
}

/**
 * @param {Place} place
 * @param {string | null} event
 * @param {string[]} folders of the project
 */
function hasEntry(place, event, folders) {
  // In the home, the user's own file is no project's.
  const inFolders = folders.map((folder) => path.join(folder, place.file)).filter((file) => !isOfUser(file));
  const files = place.folder === undefined ? inFolders : [ofUser(place)];
  return files.some((file) => handlersIn(file, event).some((handler) => isOurs(handler, folders)));
}

/** @param {string} file */
function isOfUser(file) {
  return path.dirname(path.dirname(file)) === homedir();
}

/**
 * The handlers of an event in a file. One that cannot be read has none for its agent either; one that is no JSON is a
 * plugin, which is for all events.
 *
 * @param {string} file
 * @param {string | null} event
 * @returns {Handler[]}
 */
function handlersIn(file, event) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  if (!Object.values(programs).some((program) => text.includes(program))) return [];
  if (file.endsWith('.js')) return [{ command: text.split('\n').find((line) => PLUGIN_WORDS.test(line)) }];
  try {
    const { hooks } = JSON.parse(text);
    const lists = event === null ? Object.values(hooks) : [hooks[event] ?? []];
    return lists.flat().flatMap((/** @type {Handler} */ item) => item.hooks ?? [item]);
  } catch {
    return [];
  }
}

/**
 * The commands in a file of settings that are ours, whether or not what they run is there, as the agent runs them.
 *
 * @param {Place} place
 * @param {string} root of the project
 * @returns {string[]}
 */
export function entriesOf(place, root) {
  const file = place.folder === undefined ? path.join(root, place.file) : ofUser(place);
  const commands = handlersIn(file, null).map(({ command, bash }) => String(command ?? bash));
  // A plugin has words, in the line of its code that names them.
  return commands.map((command) => command.replace(PLUGIN_WORDS, '$1'));
}

/**
 * The program that an entry names; null where it is not there.
 *
 * @param {string} file
 * @param {string} root of the project
 */
export function fileOf(file, root) {
  if (file === programs.entry) return installedIn([root]);
  const at = path.resolve(root, file);
  return fs.existsSync(at) ? at : null;
}

/**
 * Returns whether a handler runs a program of ours that is there: in a clone without its packages, no other entry takes
 * the event.
 *
 * @param {Handler} handler
 * @param {string[]} folders of the project
 */
function isOurs({ command, bash, args }, folders) {
  const line = String(command ?? bash);
  const native = nativeOf(line.replace(PLUGIN_WORDS, '$1'));
  if (native !== null) return nativeFile(native) !== null;
  const words = (Array.isArray(args) ? args : wordsOf(line)).map((word) => String(word).replaceAll('\\', '/'));
  const isCompiled = line.includes('milepost') && line.includes(' hook ');
  return words.some((word) => {
    if (word === programs.entry) return installedIn(folders) !== null;
    if (word.endsWith(programs.node)) return isThere(word, folders);
    return isCompiled && word.endsWith(programs.wasmtime) && fs.existsSync(word);
  });
}

/**
 * The native program that a line runs: its name, or its file; null for any other line.
 *
 * @param {string} line
 * @returns {string | null}
 */
export function nativeOf(line) {
  const [, words] = NATIVE_WORDS.exec(line) ?? [];
  if (words !== undefined) return words;
  const [, quoted, plain, agent = ''] = NATIVE_LINE.exec(line) ?? [];
  return Object.hasOwn(agents, agent) ? (quoted ?? plain ?? null) : null;
}

/**
 * The file of the native program, absolute; null where it is not there, which for a name the PATH says.
 *
 * @param {string} program its name, or its file
 * @returns {string | null}
 */
export function nativeFile(program) {
  const folders = program === programs.native ? (process.env.PATH ?? '').split(path.delimiter) : [''];
  const files = folders.map((folder) => path.join(folder, program)).filter((file) => path.isAbsolute(file));
  return files.find(isProgram) ?? null;
}

/**
 * Returns whether a path is that of a regular file that may be executed.
 *
 * @param {string} file
 */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The words of a line: what is between quotes is one.
 *
 * @param {string} line
 */
function wordsOf(line) {
  return line.split('"').flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(' ')));
}

/**
 * @param {string} file absolute, or below the project
 * @param {string[]} folders
 */
function isThere(file, folders) {
  return folders.some((folder) => fs.existsSync(path.resolve(folder, file.replace('${CLAUDE_PROJECT_DIR}', folder))));
}

/**
 * The path of the package as Node finds it from the project; null if it does not.
 *
 * @param {string[]} folders
 */
function installedIn([folder = '']) {
  const at = (/** @type {number} */ above) => path.join(folder, '../'.repeat(above), 'node_modules', programs.node);
  return Array.from({ length: MAX_ABOVE + 1 }, (_, above) => at(above)).find((file) => fs.existsSync(file)) ?? null;
}
