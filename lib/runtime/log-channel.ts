import { channel } from 'node:diagnostics_channel';
import type { Fields, Level } from './log-line.ts';

const lines = channel('returns-client');

/** Levels are the subscriber's affair. */
export const hears = (_level: Level): boolean => lines.hasSubscribers;

/**
 * A message on the diagnostics channel `returns-client`: the client in another program writes no line of its own, and
 * whoever wants to hear it subscribes.
 */
export const write = (level: Level, message: string, fields: Fields): void => {
  if (hears(level)) lines.publish({ level, at: new Date().toISOString(), message, ...fields });
};
