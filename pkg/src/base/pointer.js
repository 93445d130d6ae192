/**
 * The JSON pointer of a part of a value.
 *
 * @param {(string | number)[]} path
 */
export function pointer(path) {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
