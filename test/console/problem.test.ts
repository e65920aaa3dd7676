import { describe, expect, it } from 'vitest';
import { isFinal, isStale } from '../../lib/console/api/problem.ts';

const problem = (status: number, code: string) => ({ status, code, detail: '' });

describe('isFinal', () => {
  it('keeps the idempotency key while an earlier attempt may still have an effect', () => {
    const open = [
      [0, 'offline'],
      [0, 'unreachable'],
      [401, 'unauthorized'],
      [429, 'rate_limited'],
      [504, 'timeout'],
    ];
    for (const [status, code] of [...open, [409, 'idempotency_key_in_progress']] as [number, string][])
      expect([code, isFinal(problem(status, code))]).toEqual([code, false]);
  });

  it('gives the next command another key after a rejection', () => {
    for (const [status, code] of [
      [409, 'invalid_transition'],
      [422, 'idempotency_key_reused'],
    ] as [number, string][])
      expect([code, isFinal(problem(status, code))]).toEqual([code, true]);
  });
});

describe('isStale', () => {
  it('covers another version, and a lost request that had an effect', () => {
    expect(isStale(problem(412, 'version_mismatch'))).toBe(true);
    expect(isStale(problem(422, 'idempotency_key_reused'))).toBe(true);
    expect(isStale(problem(409, 'invalid_transition'))).toBe(false);
  });
});
