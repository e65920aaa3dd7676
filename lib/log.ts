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

/**
 * What went wrong, by its name: the message of an SDK or a parser may quote what must not be logged, and a name that is
 * no name might be one.
 */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
