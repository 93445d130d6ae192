// What a registered line is tried with, and what a hook that works answers.

/** An event that no agent has. */
export const TRIAL = 'milepost.trial';

export const WORKS = 'works';
