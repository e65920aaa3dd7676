/*
 * The prose rules of the project as functions: sentences of a text, their length, and banned words. Tests and the command
 * `npm run reading` use them.
 */

/** Words of the first drafts that readers had to read twice. A page names the thing instead. */
const bannedWords: readonly string[] = [
  'told',
  'anew',
  'whoever',
  'mend',
  'mends',
  'worked off',
  'comes to',
  'come to',
  'stands for',
  'stand for',
  'heed',
  'amiss',
  'whose fault',
  'nobody',
  'somebody',
];

const banned = new RegExp(String.raw`\b(${bannedWords.join('|')})\b`, 'gi');

/** The banned words of a text. Code spans may contain them, since they quote names. */
export const bannedIn = (text: string): readonly string[] =>
  Array.from(text.replaceAll(/`[^`\n]*`/g, '').matchAll(banned), ([word]) => word.toLowerCase());

/** The prose of a Markdown page: no code blocks, tables, headings and link targets. */
export const proseOf = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/<!--.*?-->/g, '')
    .split('\n')
    .filter((line) => !/^\s*(\||#)/.test(line))
    .join('\n')
    .replaceAll(/\]\([^)]*\)/g, ']');

/** An item of a list or a paragraph ends a sentence, with or without a full stop. */
const paragraphsOf = (text: string): readonly string[] =>
  text
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((part) => part.replaceAll(/\s+/g, ' ').replace(/^ ?([-*]|\d+\.) /, ''));

/** The sentences of a text. A colon ends none: a list may follow. */
const sentencesOf = (text: string): readonly string[] =>
  paragraphsOf(text)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?]["”’)]?)\s+(?=[\p{Lu}`"“[*(])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));

/** The number of words of a sentence. A code span counts as one word. */
const wordsIn = (sentence: string): number =>
  sentence
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

export type Reading = {
  readonly sentences: number;
  readonly median: number;
  readonly p90: number;
  readonly longest: number;
};

/** The lengths of the sentences of some texts, in words. */
export const readingOf = (texts: readonly string[]): Reading => {
  const lengths = texts
    .flatMap(sentencesOf)
    .map(wordsIn)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  return { sentences: lengths.length, median: at(0.5), p90: at(0.9), longest: lengths.at(-1) ?? 0 };
};
