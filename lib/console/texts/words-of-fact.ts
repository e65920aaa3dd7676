/** The words for facts, by the parts of their names. */
type FactTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns the words for a fact, if it has any, and the days of a count, which has the same words for all of them. */
export const wordsOfFact = (
  words: FactTexts,
  name: string,
): readonly [fact: string | undefined, days: string | undefined] => {
  const [group = '', member = 'at', days] = name.split(/\.|Last|Days/);
  return [words[group]?.[member], days];
};
