import english from '../../texts/en/history.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/history.json' with { type: 'json' };
import portuguese from '../../texts/pt/history.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
