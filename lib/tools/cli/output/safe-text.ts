/*
 * Data of a service may come from any person, such as the name of a customer. A terminal executes escape sequences in
 * it: they can change the title, hide text, or type commands. So every text that the command prints goes through here.
 */

/**
 * Control characters (C0, DEL, C1), line separators, characters that reorder text, and characters without width.
 * Joiners stay: some scripts and emoji need them.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu;

const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns a text for one line of a terminal. Unsafe characters become visible escapes such as `\u001b`. */
export const safeText = (text: string): string =>
  text.toWellFormed().replaceAll(unsafe, (character) => short[character] ?? escaped(character));

/** Returns a text of several lines for a terminal. Line ends and tabs stay. */
export const safeLines = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unsafe, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));

/**
 * Returns a value as JSON without characters that a terminal interprets. `JSON.stringify` leaves DEL, C1 and characters
 * that reorder text as they are; as escapes they have the same meaning.
 *
 * @param indent spaces; 0 for one line
 */
export const safeJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, undefined, indent).replaceAll(unsafe, (character) =>
    character === '\n' ? character : escaped(character),
  );
