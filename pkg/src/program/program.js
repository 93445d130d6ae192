// The words of a shell that start this program again, where this process was started: what a line that is shown to be
// copied begins with.

import modules from 'node:module';

/**
 * The start of this process.
 *
 * @typedef {object} Start
 * @property {string[]} files the program, by its given and by its resolved name
 * @property {string} working the folder that the process works in
 * @property {string} agent the name that a package manager gives itself (`npm_config_user_agent`); empty without one
 * @property {boolean} isDeno
 * @property {boolean} isBun
 * @property {boolean} isPnp whether this package is in Yarn's map of packages
 * @property {string} options what Node was started with (`NODE_OPTIONS`), where Yarn names its map of packages; empty
 *   without any
 */

/** The program where it is on the path. */
export const EVERYWHERE = 'milepost';

/** Deno looks it up in the project, then in its own cache. It sees the project and nothing else. */
const ON_DENO = 'deno run --allow-read=. --allow-write=. npm:milepost';

export const ON_BUN = 'bunx milepost';
export const ON_YARN = 'yarn milepost';
const ONCE_ON_YARN = 'yarn dlx milepost';
export const ON_NPM = 'npx milepost';
export const ON_PNPM = 'pnpm exec milepost';

/** The program of the project, by the package manager that runs it. */
const IN_PROJECT = new Map([
  ['bun', ON_BUN],
  ['pnpm', ON_PNPM],
  ['yarn', ON_YARN],
]);

/** The folder of what Yarn runs once. */
const DLX = /\/xfs-[^/]+\/dlx-/;

/** The folder of what package managers run once. */
const ONCE = /** @type {const} */ ([
  [/\/_npx\//, ON_NPM],
  [/\/bunx-\d+-/, ON_BUN],
  [DLX, ONCE_ON_YARN],
  [/\/dlx(?:-[^/]*)?\//, 'pnpm dlx milepost'],
]);

/** The folder in which Deno keeps it. */
const OF_DENO = /\/npm\/[^/]+\/milepost\//;

/** The folder of packages that pnpm keeps in a project. */
const PNPM = '/node_modules/.pnpm/';

const PACKAGES = '/node_modules/';

/**
 * The words that start this program again, from the folder that this process works in.
 *
 * @param {Start} start
 * @returns {string}
 */
export function programOf({ files, working, agent, isDeno, isBun, isPnp, options }) {
  const named = files.map((file) => file.replaceAll('\\', '/'));
  // Packages are in the cache of all projects, so that only their map says whose they are.
  if (isPnp) return DLX.test(options.replaceAll('\\', '/')) ? ONCE_ON_YARN : ON_YARN;
  if (named.some((file) => isOfProject(file, working))) {
    if (isDeno) return ON_DENO;
    if (isBun) return ON_BUN;
    const manager = named.some((file) => file.includes(PNPM)) ? 'pnpm' : agent.split('/', 1)[0];
    return IN_PROJECT.get(manager) ?? ON_NPM;
  }
  if (isDeno && named.some((file) => OF_DENO.test(file))) return ON_DENO;
  return ONCE.find(([place]) => named.some((file) => place.test(file)))?.[1] ?? EVERYWHERE;
}

/** Returns true where Yarn's map of packages has this one: a process inherits the maps of other projects as well. */
export function isOnPnp() {
  return Boolean(/** @type {any} */ (modules).findPnpApi?.(__filename));
}

/**
 * Returns true for a file among the packages of the folder, or of one above it.
 *
 * @param {string} file
 * @param {string} folder
 */
export function isOfProject(file, folder) {
  const [named, working] = [file, folder].map((it) => it.replaceAll('\\', '/'));
  const end = named.indexOf(PACKAGES);
  return end !== -1 && withEnd(working).startsWith(withEnd(named.slice(0, end)));
}

/** @param {string} folder */
function withEnd(folder) {
  return folder.endsWith('/') ? folder : `${folder}/`;
}
