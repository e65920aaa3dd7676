import { logConfig } from './config.ts';
import type { Fields, Level } from './log.ts';

const ranks: Readonly<Record<Level, number>> = { debug: 10, info: 20, warn: 30, error: 40 };

const isLevel = (value: string): value is Level => Object.hasOwn(ranks, value);
const { level: configured } = logConfig();
const threshold = ranks[isLevel(configured) ? configured : 'info'];

export const hears = (level: Level): boolean => ranks[level] >= threshold;

/** One JSON line, which CloudWatch Logs Insights reads as fields. */
export const write = (level: Level, message: string, fields: Fields): void => {
  if (!hears(level)) return;
  process.stdout.write(`${JSON.stringify({ level, at: new Date().toISOString(), message, ...fields })}\n`);
};
