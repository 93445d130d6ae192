// Light, dark, or as the system has it. `color-scheme` does the rest: the tokens are `light-dark()`.

import { effect, signal } from '@preact/signals';

import { readPreference, savePreference } from './preference';

export type Theme = 'auto' | 'light' | 'dark';

const THEMES: Theme[] = ['auto', 'light', 'dark'];
const PREFERENCE = 'milepost-theme';

export const theme = signal<Theme>(THEMES.find((it) => it === readPreference(PREFERENCE)) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
  savePreference(PREFERENCE, theme.value);
}
