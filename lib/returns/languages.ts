/** The languages that texts for customers are written in (RFC 5646). The first is the default. */
export const languages = ['en', 'pt', 'es', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'en';
