import english from './en/common.json' with { type: 'json' };
import { texts } from './language.ts';
import brazilian from './pt-BR/common.json' with { type: 'json' };
import portuguese from './pt/common.json' with { type: 'json' };

/** Texts that several screens use. */
export const common = texts(english, portuguese, brazilian);
