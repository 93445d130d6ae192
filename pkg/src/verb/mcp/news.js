// The new things that a change made, and the names that were probably meant.

import { shape } from './shape.js';

/** @typedef {import('./work.js').Members} Members */
/** @typedef {import('./work.js').Work} Work */

const RUN = shape(
  {
    command: { type: 'string', description: 'Its command.' },
    feature: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Its feature, if it has one.' },
  },
  ['command', 'feature'],
);

const PHASE = shape(
  {
    phase: { type: 'string', description: 'The new one.' },
    similar: { type: 'string', description: 'The one that was there before.' },
  },
  ['phase', 'similar'],
);

/** The members that an answer has as well where something was made. */
export const NEWS = shape({
  new_feature: { type: 'boolean', description: 'Whether the feature is new: no other run has it.' },
  similar_run: {
    anyOf: [RUN, { type: 'null' }],
    description:
      'A run that may be the one that was meant; one of a feature that another command has may not be there yet.',
  },
  similar_phases: {
    type: 'array',
    items: PHASE,
    description: 'Phases that were there before, and may be those that were meant.',
  },
  hint: { type: 'string', description: 'What to do if another run or phase was meant.' },
});

/**
 * The answer of a change, with what was probably meant where it made something.
 *
 * @param {Work} work
 * @param {Members} answer
 * @param {boolean} isFeatureNamed whether the caller named the feature
 * @returns {Members}
 */
export function withNews(work, answer, isFeatureNamed) {
  if (!answer.created) return answer;
  const { command, feature, new_run, new_phases } = answer;
  const similar = work.ask('similar', { command, feature, is_feature_named: isFeatureNamed, new_run, new_phases });
  const target = { command, feature: feature ?? (isFeatureNamed ? '' : null) };
  const hints = hintsOf(similar, work.command('remove', target));
  return { ...answer, ...similar, ...(hints.length > 0 && { hint: hints.join(' ') }) };
}

/**
 * @param {Members} similar
 * @param {string} back the command that takes the run back
 */
function hintsOf({ similar_run: run, similar_phases: phases }, back) {
  const hints = phases.map(
    (/** @type {Members} */ { phase, similar }) =>
      `Did you mean the phase ${similar}? \`milepost_remove_phase\` takes ${phase} back.`,
  );
  if (run === null) return hints;
  const title = run.feature === null ? run.command : `${run.command} (feature ${run.feature})`;
  return [`Did you mean the run ${title}? \`${back}\` takes the new one back.`, ...hints];
}
