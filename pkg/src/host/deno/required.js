// Modules in CommonJS on Deno: what a hook can do without, as `require` is slow to begin with there.

/** @type {Record<string, any>} */
let given = {};

/**
 * Modules that are there already, by their names.
 *
 * @param {Record<string, any>} modules
 */
export function provide(modules) {
  given = modules;
}

/**
 * A module of the package.
 *
 * @param {string} file beside this one
 */
export function required(file) {
  return given[file] ?? process.getBuiltinModule('node:module').createRequire(import.meta.url)(file);
}
