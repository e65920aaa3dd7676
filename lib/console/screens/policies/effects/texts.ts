import english from '../../../texts/en/policies-effects.json' with { type: 'json' };
import { texts } from '../../../texts/language.ts';
import brazilian from '../../../texts/pt-BR/policies-effects.json' with { type: 'json' };
import portuguese from '../../../texts/pt/policies-effects.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
