import type { Language } from '../returns/languages.ts';
import type { Catalogue } from './catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** All texts for customers, by language. Only functions that write such texts may import this: it weighs 7 kB (gzip). */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en, pt, es, de, fr };
