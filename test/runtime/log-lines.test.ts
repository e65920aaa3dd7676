import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hearLines } from '../support/standard-output.ts';
import { write } from '../../lib/runtime/log-lines.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const lineOf = (...line: Parameters<typeof write>): string => {
  const written: string[] = [];
  const spy = hearLines((line) => written.push(line));
  write(...line);
  spy.mockRestore();
  return written.join('');
};

// The characters that JSON escapes, among others.
const mixed = fc.string({ unit: fc.constantFrom('a', ' ', '/', '"', '\\', '\n', '\t', '\u2028', 'é') });
const text = fc.oneof(fc.string({ unit: 'binary' }), mixed);
const value = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(undefined));
const anyName = fc.oneof(fc.constantFrom('status', 'ms'), fc.stringMatching(/^[a-z][a-zA-Z]{0,20}$/));
const name = anyName.filter((one) => !['level', 'at', 'message'].includes(one));

describe('log lines', () => {
  it('are the JSON that an object with the same fields gives', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const level = fc.constantFrom('debug' as const, 'info' as const, 'warn' as const, 'error' as const);
    const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    // Times of the same second follow each other, too.
    const times = fc.tuple(time, fc.integer({ min: 0, max: 999 })).map(([at, more]) => [+at, +at + more]);
    fc.assert(
      fc.property(times, level, text, fc.dictionary(name, value), (moments, ...said) => {
        const [how, message, fields] = said;
        for (const now of moments) {
          vi.setSystemTime(now);
          const line = lineOf(how, message, fields);
          const whole = { level: how, at: new Date(now).toISOString(), message, ...fields };
          expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(whole)));
          expect(line.indexOf('\n')).toBe(line.length - 1);
        }
      }),
    );
  });
});
