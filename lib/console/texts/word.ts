/** Returns the word of a catalogue for a code of the API, or the code itself if it has none. */
export const wordOf = (words: object, code: string): string =>
  (words as Readonly<Record<string, string>>)[code] ?? code.replaceAll('_', ' ');
