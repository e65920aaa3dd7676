import english from '../../texts/en/withdrawals.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/withdrawals.json' with { type: 'json' };
import portuguese from '../../texts/pt/withdrawals.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
