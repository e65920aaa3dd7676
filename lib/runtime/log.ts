import { hears, write } from '#log-sink';
import type { Fields, Level } from './log-line.ts';

/**
 * Writes a log line: a noun and a past participle. Fields are ids, codes and numbers: never personal data, a secret, a
 * token or a body.
 */
export const log = (level: Level, message: string, fields: Fields = {}): void => write(level, message, fields);

/** Whether lines of this level are written. Check it before an expensive line. */
export const isLogged = (level: Level): boolean => hears(level);

/**
 * Returns the name of an error for the log. The message of an SDK or a parser may quote secrets or personal data, and
 * so may a malformed name.
 */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
