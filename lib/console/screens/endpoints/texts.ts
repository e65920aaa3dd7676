import english from '../../texts/en/endpoints.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/endpoints.json' with { type: 'json' };
import portuguese from '../../texts/pt/endpoints.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
