import english from '../../../texts/en/policies-lifecycle.json' with { type: 'json' };
import { texts } from '../../../texts/language.ts';
import brazilian from '../../../texts/pt-BR/policies-lifecycle.json' with { type: 'json' };
import portuguese from '../../../texts/pt/policies-lifecycle.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
