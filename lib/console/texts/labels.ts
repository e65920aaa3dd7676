import english from './en/labels.json' with { type: 'json' };
import { texts } from './language.ts';
import brazilian from './pt-BR/labels.json' with { type: 'json' };
import portuguese from './pt/labels.json' with { type: 'json' };
import { fill } from './fill.ts';
import { wordOf } from './word.ts';

/*
 * The words for statuses, commands and other codes of the API. A code without a word here is shown as it is.
 */

const words = texts(english, portuguese, brazilian);

type Words = ReturnType<typeof words>;

/** Returns the word for a code, or the code itself if it has none. */
export const label = (kind: Exclude<keyof Words, 'unit'>, code: string): string => wordOf(words()[kind], code);

const isUnit = (name: string): name is keyof Words['unit'] => Object.hasOwn(words().unit, name);

/** Returns the word for what happened to some units, such as `accepted`, for their number. */
export const unitWord = (name: string, count: number): string =>
  isUnit(name) ? fill(words().unit[name], { count }) : name;
