import english from '../../texts/en/return.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/return.json' with { type: 'json' };
import portuguese from '../../texts/pt/return.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
