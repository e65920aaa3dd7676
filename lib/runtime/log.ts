import { hears, write } from '#log-sink';
import type { Fields, Level } from './log-line.ts';

/** Says what happened. Fields are ids, codes and numbers: never personal data, a secret, a token or a body. */
export const log = (level: Level, message: string, fields: Fields = {}): void => write(level, message, fields);

/** Whether a line of this level would go anywhere: what costs something to say is not made for nobody. */
export const isLogged = (level: Level): boolean => hears(level);

/**
 * What went wrong, by its name: the message of an SDK or a parser may quote what must not be logged, and a name that is
 * no name might be one.
 */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
