import { logConfig } from './configuration/config.ts';
import { configured } from './container.ts';
import { invocationFields } from './invocation.ts';
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

/** Formats a time like `toISOString`. Only the milliseconds change within a second, so the rest is cached. */
const timeOf = (now: number): string => {
  const beganAt = Math.floor(now / 1_000) * 1_000;
  if (beganAt !== second.beganAt) {
    second.beganAt = beganAt;
    second.text = new Date(beganAt).toISOString().slice(0, -'000Z'.length);
  }
  return `${second.text}${String(now - beganAt).padStart(3, '0')}Z`;
};

/** Formats a text as JSON. Names and ids need no escapes, and a test for that is faster. */
const quoted = (text: string): string => (/^[\w .:/-]*$/.test(text) ? `"${text}"` : JSON.stringify(text));

type Value = string | number | boolean;

/** Formats a value as JSON. For numbers, `String` is faster than `JSON.stringify`. */
const jsonOf = (value: Value): string => {
  if (typeof value === 'string') return quoted(value);
  return Number.isFinite(value) ? String(value) : JSON.stringify(value);
};

/** The last text of each field. Most values repeat from line to line. */
const last = new Map<string, { readonly value: Value; readonly text: string }>();

const fieldOf = (name: string, value: Value): string => {
  const known = last.get(name);
  if (known?.value === value) return known.text;
  const text = `,"${name}":${jsonOf(value)}`;
  last.set(name, { value, text });
  return text;
};

/**
 * Writes one JSON line, whose fields CloudWatch Logs Insights reads, with the ids of the invocation. It concatenates
 * text, because `JSON.stringify` of a new object would be the most expensive part of a warm call.
 */
export const write = (level: Level, message: string, fields: Fields): void => {
  if (!hears(level)) return;
  let line = `{"level":"${level}","at":"${timeOf(Date.now())}"${fieldOf('message', message)}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += fieldOf(name, value);
  }
  writeLine(`${line}${invocationFields(fields['traceId'] !== undefined)}}`);
};
