/** White space, and characters that no screen shows: a copy from a mail or a page often has some. */
const unseen = /[\s\p{White_Space}\p{Cf}]/gu;

/**
 * Returns the form in which numbers of parcels, orders and goods are compared: without white space, in capital letters.
 * The lower case comes first, because some letters have two lower forms of one capital.
 */
export const foldReference = (text: string): string => text.replace(unseen, '').toLowerCase().toUpperCase();
