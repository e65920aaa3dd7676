/*
 * Texts of the contract for a deployment whose service decides. The first sentence of a text says what a field is. The
 * sentences after it say what our standalone mode does with it.
 */

/** A sentence ends before a capital letter or a name in backticks. A list of words is part of its sentence. */
const sentencesOf = (text: string): readonly string[] => text.split(/(?<=\.) (?=[A-Z`])/);

/** Returns the first sentence of a text. */
export const firstSentence = (text: string): string => sentencesOf(text)[0] ?? text;

/** What is true of each deployment: the meaning of a word, and what answers to commands leave out. */
const isNeutral = (sentence: string): boolean =>
  /^(`\w+`: |Above zero )/.test(sentence) || sentence.startsWith('Answers to commands ') || sentence.includes('\n- `');

/** First sentences that state what our standalone mode does. */
const replaced: Readonly<Record<string, string>> = {
  'A cancellation of units that have not come back.': 'A cancellation of a return.',
  'A request to return units of a registered order.': 'A request to return units of an order.',
  'All reasons, sorted by code.': 'The reasons.',
  'The operation, such as `approve`.': 'The name of the operation.',
  'The operation, such as `inspect`.': 'The name of the operation.',
};

export const replacedSentences = Object.keys(replaced);

/** Returns a text of the contract without what only our standalone mode does. */
export const neutralText = (text: string): string => {
  const [first = text, ...others] = sentencesOf(text);
  return [replaced[first] ?? first, ...others.filter(isNeutral)].join(' ');
};

const summaries: Readonly<Record<string, string>> = {
  'Approve a return in whole or in part': 'Approve a return',
  'Cancel a return or some units': 'Cancel a return',
};

/** Returns the summary of an operation without the parts of a return that only our standalone mode takes. */
export const neutralSummary = (summary: string): string => summaries[summary] ?? summary;
