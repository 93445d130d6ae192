// Schemas of tools, made of those that are printed from the core.

/** @typedef {{type: 'object', properties: Record<string, any>, required?: string[]}} Shape */

/**
 * An object of these members.
 *
 * @param {Record<string, any>} properties
 * @param {string[]} [required]
 * @returns {Shape}
 */
export function shape(properties, required = []) {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/**
 * Several as one; what a later one has stands in place of the same of an earlier one.
 *
 * @param {...Shape} shapes
 */
export function join(...shapes) {
  const properties = Object.assign({}, ...shapes.map((it) => it.properties));
  return shape(properties, [...new Set(shapes.flatMap((it) => it.required ?? []))]);
}

/**
 * These members alone.
 *
 * @param {Shape} from
 * @param {...string} names
 */
export function only(from, ...names) {
  const properties = Object.fromEntries(names.map((name) => [name, from.properties[name]]));
  return shape(properties, from.required?.filter((name) => names.includes(name)));
}

/**
 * Returns the shape without these members.
 *
 * @param {Shape} from
 * @param {...string} names
 */
export function without(from, ...names) {
  return only(from, ...Object.keys(from.properties).filter((name) => !names.includes(name)));
}

/**
 * Returns the shape with no required members.
 *
 * @param {Shape} from
 */
export function optional({ properties }) {
  return shape(properties);
}
