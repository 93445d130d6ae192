// The permissions that the host gives this process. Node and Bun have no say in it; Deno asks its user for each
// new thing, and is not asked for what Milepost can do without.

/** @type {{permissions: {querySync(wanted: object): {state: string}}} | undefined} */
const deno = Reflect.get(globalThis, 'Deno');

export const isDeno = deno !== undefined;

/** @param {string} path */
export function mayRead(path) {
  return granted({ name: 'read', path });
}

/**
 * A variable of the environment; undefined where it may not be read.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function variable(name) {
  return granted({ name: 'env', variable: name }) ? process.env[name] : undefined;
}

/** @param {object} wanted */
function granted(wanted) {
  return deno === undefined || deno.permissions.querySync(wanted).state === 'granted';
}
