// Words of a shell, in commands that are shown to be copied.

/**
 * A word of a command, as a POSIX shell takes it.
 *
 * @param {string} text
 */
export function word(text) {
  return /^[\w./@%+=:,][\w./@%+=:,-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Options of a command, with a blank before each; those without a value are left out.
 *
 * @param {Record<string, string | null | undefined>} options
 */
export function optionsOf(options) {
  const named = Object.entries(options);
  return named.map(([name, value]) => (value ? ` --${name} ${word(value)}` : '')).join('');
}
