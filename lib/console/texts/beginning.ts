/** The number of characters that a page shows of a text. A longer text would make the page slow. */
export const maxShown = 60_000;

/** Returns the beginning of a text that a page shows. */
export const beginningOf = (text: string): string => text.slice(0, maxShown);
