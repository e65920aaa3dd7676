import { signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;

type Theme = (typeof themes)[number];

const storageKey = 'returns-theme';

const isTheme = (value: string | null): value is Theme => themes.some((name) => name === value);

const stored = localStorage.getItem(storageKey);

export const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

/** Chooses the colours for this browser. */
export const chooseTheme = (chosen: string): void => {
  if (!isTheme(chosen)) return;
  localStorage.setItem(storageKey, chosen);
  theme.value = chosen;
};

theme.subscribe((chosen) => {
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen;
});
