import english from '../../texts/en/order.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/order.json' with { type: 'json' };
import portuguese from '../../texts/pt/order.json' with { type: 'json' };

/** The texts of the order. */
export const t = texts(english, portuguese, brazilian);
