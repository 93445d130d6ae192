// The trial of a registered line: its input, and the answer of a hook that works.

/** An event that no agent has. */
export const TRIAL = 'milepost.trial';

export const WORKS = 'works';
