import english from '../texts/en/app.json' with { type: 'json' };
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/app.json' with { type: 'json' };
import portuguese from '../texts/pt/app.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);

/** The titles of screens. */
export const titles = () => t().titles;
