import english from '../../texts/en/decision.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/decision.json' with { type: 'json' };
import portuguese from '../../texts/pt/decision.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
