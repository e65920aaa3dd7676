import english from '../../texts/en/figures.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/figures.json' with { type: 'json' };
import portuguese from '../../texts/pt/figures.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
