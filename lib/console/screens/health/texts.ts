import english from '../../texts/en/health.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/health.json' with { type: 'json' };
import portuguese from '../../texts/pt/health.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
