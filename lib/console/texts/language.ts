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

/** The Portuguese texts of all screens. The build puts a place in this list for each of their catalogues. */
const portugueseTexts = signal<readonly unknown[]>([]);

/**
 * Loads the texts of screens, if the language needs it. Screens are English until then.
 *
 * @throws if the file cannot be loaded
 */
export const loadTexts = async (): Promise<void> => {
  if (language.peek() === 'en') return;
  const { default: loaded } = await import('#contract/console-portuguese.json');
  portugueseTexts.value = loaded;
};

/** Loads the texts ahead of the first screen, which tells a failure. */
const loadAhead = async (): Promise<void> => {
  try {
    await loadTexts();
  } catch (error) {
    console.error(error);
  }
};

/** Gives the page the language of its texts, for screen readers. */
language.subscribe((chosen) => {
  document.documentElement.lang = chosen;
  void loadAhead();
});

const isNested = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns texts with others in their place, where there are others. */
const merge = (base: unknown, differences: unknown): unknown => {
  if (!isNested(base) || !isNested(differences)) return differences ?? base;
  const merged = { ...base };
  for (const [name, value] of Object.entries(differences)) merged[name] = merge(base[name], value);
  return merged;
};

/** Gives the texts of a catalogue their names. The build lists them in the order of the English ones, 0 for none. */
const withNames = (names: unknown, texts: unknown): unknown =>
  isNested(names) && Array.isArray(texts)
    ? Object.fromEntries(
        Object.entries(names).flatMap(([name, inner], index) =>
          (texts[index] ?? 0) === 0 ? [] : [[name, withNames(inner, texts[index])]],
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
  const catalogue = computed((): Translated<Texts> => {
    const variants = { en: [], 'pt-PT': [portuguese], 'pt-BR': [portuguese, brazilian] }[language.value];
    const named = variants.map((variant: unknown) =>
      withNames(english, typeof variant === 'number' ? portugueseTexts.value[variant] : variant),
    );
    const [first = english, ...others] = named;
    return others.reduce(merge, first) as Translated<Texts>;
  });
  return () => catalogue.value;
};
