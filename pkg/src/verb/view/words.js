// The words that start the program, in a page that is handed out.

/** The words that start the program, as the page has them. */
const PROGRAM = /(<meta name="milepost-program" content=")[a-z]+(")/;

/** The program, where its start is unknown. */
export const NAME = 'milepost';

/**
 * The page with the words that start the program.
 *
 * @param {string} page
 * @param {string} program
 */
export function withProgram(page, program) {
  const shown = program.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const named = page.replace(PROGRAM, (_, before, after) => before + shown + after);
  return named.replaceAll('<code>milepost ', () => `<code>${shown} `);
}
