// `countTokens` of 1 MB of prose, the way into wasm included.

import { alternate } from '../measure.mjs';
import { fasterThan } from '../report.mjs';
import { SCRIPTS, prose } from '../sample.mjs';

export const name = 'count-tokens';
const PLAN = { rounds: 60, warmups: 5 };
const LENGTH = 1_000_000;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const { countTokens } = fixture.require('milepost');
  const row = (what, text, limits) => {
    const { ours, peer } = alternate(PLAN, {
      ours: () => void countTokens(text),
      peer: () => void split(text),
    });
    if (countTokens(text) !== split(text)) throw new Error(`${what}: the counts differ`);
    return fasterThan({ what, peerName: 'split, filter', ours, peer, ...limits });
  };
  return [
    row('countTokens of 1 MB prose, ASCII', prose(LENGTH), { atLeast: 15 }),
    row(
      'countTokens of 1 MB prose, typographic quotes',
      prose(LENGTH, { typographic: true }),
      { atLeast: 20, aim: 30 },
    ),
    ...Object.entries(SCRIPTS).map(([script, words]) =>
      row(`beside it: prose in ${script}`, prose(LENGTH, { words })),
    ),
  ];
}

function split(text) {
  return text.split(/\s+/).filter(Boolean).length;
}
