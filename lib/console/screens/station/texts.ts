import english from '../../texts/en/station.json' with { type: 'json' };
import { texts } from '../../texts/language.ts';
import brazilian from '../../texts/pt-BR/station.json' with { type: 'json' };
import portuguese from '../../texts/pt/station.json' with { type: 'json' };

/** The texts of the station. */
export const t = texts(english, portuguese, brazilian);
