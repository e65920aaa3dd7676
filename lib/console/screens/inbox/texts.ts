import english from '../../texts/en/inbox.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/inbox.json' with { type: 'json' };
import portuguese from '../../texts/pt/inbox.json' with { type: 'json' };

export const t = texts(english, portuguese, brazilian);
