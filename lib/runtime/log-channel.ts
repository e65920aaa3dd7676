import { channel } from 'node:diagnostics_channel';
import type { Fields, Level } from './log-line.ts';

const lines = channel('returns-client');

/** Whether the channel has a subscriber, which selects levels itself. */
export const hears = (_level: Level): boolean => lines.hasSubscribers;

/**
 * Publishes a message on the diagnostics channel `returns-client`. The client package writes no log lines: a program
 * subscribes to the channel.
 */
export const write = (level: Level, message: string, fields: Fields): void => {
  if (hears(level)) lines.publish({ level, at: new Date().toISOString(), message, ...fields });
};
