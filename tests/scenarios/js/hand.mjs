// Scenarios that were written by hand, as src/hand.rs reads them.

import * as fs from 'node:fs';
import * as path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../hand');

/** The longest value of `each` that a name shows, in characters. */
const SHOWN = 60;

/**
 * The scenarios that real files can have, by topic.
 *
 * @returns {{topic: string, name: string, needs?: string, steps: object[], files: object}[][]} each
 *   scenario once for each value of its `each`
 */
export function scenarios() {
  return fs
    .readdirSync(FOLDER)
    .sort()
    .flatMap((file) => {
      const topic = path.basename(file, '.json');
      const read = JSON.parse(fs.readFileSync(path.join(FOLDER, file), 'utf8'));
      const real = read.filter(({ world = 'real' }) => world === 'real');
      return real.map((scenario) => variants({ topic, files: {}, ...scenario }));
    });
}

function variants({ each, ...scenario }) {
  if (each === undefined) return [scenario];
  return each.map((value) => {
    const name = `${scenario.name}, ${JSON.stringify(value).slice(0, SHOWN)}`;
    return { ...substitute(scenario, value), name };
  });
}

/** `{"each": true}` stands for the value. */
function substitute(value, each) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => substitute(item, each));
  if (value.each === true) return each;
  const members = Object.entries(value).map(([key, item]) => [key, substitute(item, each)]);
  return Object.fromEntries(members);
}
