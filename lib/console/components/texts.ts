import english from '../texts/en/components.json' with { type: 'json' };
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/components.json' with { type: 'json' };
import portuguese from '../texts/pt/components.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
