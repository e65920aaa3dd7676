import { computed, signal } from '@preact/signals';
import type { Differences, Known, Translated } from './catalogue.ts';
import { localeFor } from './locale.ts';

/* The language of the console. Portuguese has two variants, which share most texts. */

export const languages = { en: 'English', 'pt-PT': 'Português (Portugal)', 'pt-BR': 'Português (Brasil)' } as const;

export type Language = keyof typeof languages;

const storageKey = 'returns-language';

const isLanguage = (value: string | null): value is Language => value !== null && Object.hasOwn(languages, value);

const preferred = (): Language => {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  for (const name of navigator.languages) {
    if (/^pt-br/i.test(name)) return 'pt-BR';
    if (/^pt/i.test(name)) return 'pt-PT';
    if (/^en/i.test(name)) return 'en';
  }
  return 'en';
};

export const language = signal<Language>(preferred());

/** The language of dates and amounts: that of the browser if it is a variant of the chosen one. */
export const locale = computed((): string => localeFor(language.value, navigator.languages));

/** Chooses a language for this browser. */
export const chooseLanguage = (chosen: string): void => {
  if (!isLanguage(chosen)) return;
  localStorage.setItem(storageKey, chosen);
  language.value = chosen;
};

/** Gives the page the language of its texts, for screen readers. */
language.subscribe((chosen) => {
  document.documentElement.lang = chosen;
});

const isNested = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const merge = (base: Record<string, unknown>, differences: Record<string, unknown>): Record<string, unknown> => {
  const merged = { ...base };
  for (const [name, value] of Object.entries(differences)) {
    const before = base[name];
    merged[name] = isNested(value) && isNested(before) ? merge(before, value) : value;
  }
  return merged;
};

/** Gives the texts of a catalogue their names. The build lists them in the order of the English ones, 0 for none. */
const named = (names: unknown, texts: unknown): unknown =>
  isNested(names) && Array.isArray(texts)
    ? Object.fromEntries(
        Object.entries(names).flatMap(([name, inner], index) =>
          (texts[index] ?? 0) === 0 ? [] : [[name, named(inner, texts[index])]],
        ),
      )
    : texts;

/**
 * Makes a catalogue of texts. Call the result in a component: the component then follows the chosen language.
 *
 * @param brazilian the texts that differ from those of Portugal
 */
export const texts = <Texts, Portuguese extends Translated<Texts>, Brazilian extends Differences<Texts>>(
  english: Texts & Translated<Texts>,
  portuguese: Portuguese & Known<Portuguese, Texts>,
  brazilian: Brazilian & Known<Brazilian, Texts>,
): (() => Translated<Texts>) => {
  const european = named(english, portuguese) as Portuguese;
  const catalogues: Readonly<Record<Language, Translated<Texts>>> = {
    en: english,
    'pt-PT': european,
    'pt-BR': merge({ ...european }, { ...(named(english, brazilian) as Brazilian) }) as Translated<Texts>,
  };
  return () => catalogues[language.value];
};
