import { describe, expect, it } from 'vitest';
import { isFinal, isStale, isTemporary } from '../../lib/console/api/problem.ts';

const problem = (status: number, code: string) => ({ status, code, detail: '' });

describe('isFinal', () => {
  it('keeps the idempotency key while an earlier attempt may still have an effect', () => {
    const open = [
      [0, 'offline'],
      [0, 'unreachable'],
      [401, 'unauthorized'],
      [429, 'rate_limited'],
      [502, 'dependency_refused'],
      [504, 'timeout'],
    ];
    for (const [status, code] of [...open, [409, 'idempotency_key_in_progress']] as [number, string][])
      expect([code, isFinal(problem(status, code))]).toEqual([code, false]);
  });

  it('gives the next command another key after a rejection', () => {
    for (const [status, code] of [
      [409, 'invalid_transition'],
      [422, 'idempotency_key_reused'],
      [501, 'operation_not_offered'],
    ] as [number, string][])
      expect([code, isFinal(problem(status, code))]).toEqual([code, true]);
  });
});

describe('isTemporary', () => {
  it.each([
    [500, 'internal_error', true],
    [502, 'http_502', true],
    [503, 'dependency_unavailable', true],
    [501, 'operation_not_offered', false],
    [502, 'dependency_refused', false],
    [409, 'invalid_transition', false],
  ])('says whether a repeat may help after %i %s', (status, code, expected) => {
    expect(isTemporary(problem(status, code))).toBe(expected);
  });
});

describe('isStale', () => {
  it('covers another version, and a lost request that had an effect', () => {
    expect(isStale(problem(412, 'version_mismatch'))).toBe(true);
    expect(isStale(problem(422, 'idempotency_key_reused'))).toBe(true);
    expect(isStale(problem(409, 'invalid_transition'))).toBe(false);
  });
});
