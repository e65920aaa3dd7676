import { logConfig } from './config.ts';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

const ranks = { debug: 10, info: 20, warn: 30, error: 40 } as const;
type Level = keyof typeof ranks;

const isLevel = (value: string): value is Level => Object.hasOwn(ranks, value);
const { level: configured } = logConfig();
const threshold = ranks[isLevel(configured) ? configured : 'info'];

/**
 * Writes one JSON line, which CloudWatch Logs Insights reads as fields. Fields are ids, codes and numbers: never
 * personal data, a secret, a token or a body.
 */
export const log = (level: Level, message: string, fields: Fields = {}): void => {
  if (ranks[level] < threshold) return;
  process.stdout.write(`${JSON.stringify({ level, at: new Date().toISOString(), message, ...fields })}\n`);
};
