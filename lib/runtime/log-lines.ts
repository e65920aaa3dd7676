import { logConfig } from './config.ts';
import { configured } from './container.ts';
import type { Fields, Level } from './log-line.ts';
import { writeLine } from './standard-output.ts';

const ranks: Readonly<Record<Level, number>> = { debug: 10, info: 20, warn: 30, error: 40 };

const isLevel = (value: string): value is Level => Object.hasOwn(ranks, value);

const threshold = configured(() => {
  const { level } = logConfig();
  return ranks[isLevel(level) ? level : 'info'];
});

export const hears = (level: Level): boolean => ranks[level] >= threshold();

const second = { beganAt: Number.NaN, text: '' };

/** As `toISOString` writes it, of which all but the milliseconds is the same for a second. */
const timeOf = (now: number): string => {
  const beganAt = Math.floor(now / 1_000) * 1_000;
  if (beganAt !== second.beganAt) {
    second.beganAt = beganAt;
    second.text = new Date(beganAt).toISOString().slice(0, -'000Z'.length);
  }
  return `${second.text}${String(now - beganAt).padStart(3, '0')}Z`;
};

/** A text as JSON. Names and ids stay as they are, which is seen sooner than written. */
const quoted = (text: string): string => (/^[\w .:/-]*$/.test(text) ? `"${text}"` : JSON.stringify(text));

type Value = string | number | boolean;

/** Asked to write a number, JSON takes as long as for a text. */
const jsonOf = (value: Value): string => {
  if (typeof value === 'string') return quoted(value);
  return Number.isFinite(value) ? String(value) : JSON.stringify(value);
};

/** The last text of each field: most are the same from line to line. */
const last = new Map<string, { readonly value: Value; readonly text: string }>();

const fieldOf = (name: string, value: Value): string => {
  const known = last.get(name);
  if (known?.value === value) return known.text;
  const text = `,"${name}":${jsonOf(value)}`;
  last.set(name, { value, text });
  return text;
};

/**
 * One JSON line, which CloudWatch Logs Insights reads as fields. Put together as text: made of an object that is made for
 * it, it would be the dearest part of a call that has nothing to wait for.
 */
export const write = (level: Level, message: string, fields: Fields): void => {
  if (!hears(level)) return;
  let line = `{"level":"${level}","at":"${timeOf(Date.now())}"${fieldOf('message', message)}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += fieldOf(name, value);
  }
  writeLine(`${line}}`);
};
