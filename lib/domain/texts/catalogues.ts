import { defaultLanguage, type Language, languages } from '../returns/input-checks.ts';
import type { Catalogue } from './catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** A longer field is ignored: RFC 9110, 12.5.4 lets a server disregard it. */
const maxLength = 500;

const weighted = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

type Range = { readonly primary: string; readonly quality: number };

/** Parses one language range with its quality value (RFC 9110, 12.4.2); undefined when it is malformed. */
const rangeIn = (element: string): Range | undefined => {
  const [, range, quality = '1'] = weighted.exec(element.trim()) ?? [];
  if (range === undefined) return undefined;
  return { primary: (range.split('-')[0] ?? '').toLowerCase(), quality: Number(quality) };
};

/**
 * Chooses the language of a response by lookup (RFC 4647, 3.4).
 * `pt` serves `pt-BR`. `*` selects the first language that the field does not name. Without a match it is the default,
 * because a text in another language is better than none.
 *
 * @param field the value of Accept-Language; a malformed range in it is ignored
 */
export const languageFor = (field: string | undefined): Language => {
  if (field === undefined || field.length > maxLength) return defaultLanguage;
  const ranges = field.split(',').flatMap((element) => rangeIn(element) ?? []);
  const named = new Set(ranges.map(({ primary }) => primary));
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  for (const { primary } of wanted) {
    const found = languages.find((language) => (primary === '*' ? !named.has(language) : language === primary));
    if (found !== undefined) return found;
  }
  return defaultLanguage;
};

/**
 * All texts for customers, by language. Only functions that write such texts may import this, because it weighs 7 kB
 * (gzip).
 */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en, pt, es, de, fr };
