import english from '../../texts/en/queue.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/queue.json' with { type: 'json' };
import portuguese from '../../texts/pt/queue.json' with { type: 'json' };

/** The texts of the queue. */
export const t = texts(english, portuguese, brazilian);
