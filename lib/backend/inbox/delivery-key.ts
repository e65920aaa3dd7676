const prefix = 'INBOX#';

/** What callers know a delivery by: its key in the store, in letters that a path takes as they are. */
export const shownKey = (key: string): string => Buffer.from(key.slice(prefix.length)).toString('base64url');

/** The key in the store that callers know by this name; that there is such a delivery is not said. */
export const storedKey = (shown: string): string => `${prefix}${Buffer.from(shown, 'base64url').toString()}`;
