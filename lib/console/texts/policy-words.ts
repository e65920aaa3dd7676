import english from './en/policy-words.json' with { type: 'json' };
import { texts } from './language.ts';
import brazilian from './pt-BR/policy-words.json' with { type: 'json' };
import portuguese from './pt/policy-words.json' with { type: 'json' };
import { wordOf } from './word.ts';

/* The words for phases, verdicts, settings and codes of policies. */

const words = texts(english, portuguese, brazilian);

type Words = ReturnType<typeof words>;

/** Returns the word for a code of a policy, or the code itself if it has none. */
export const policyWord = (kind: keyof Words, code: string): string => wordOf(words()[kind], code);

/** Returns whether a code of a rejection has a sentence. */
export const hasCodeText = (code: string): boolean => Object.hasOwn(words().code, code);
