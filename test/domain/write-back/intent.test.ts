import { describe, expect, it } from 'vitest';
import {
  asked,
  isStillParked,
  isUncertain,
  parked,
  postponed,
  retried,
  stated,
  stillParked,
} from '../../../lib/domain/write-back/intent.ts';
import { plannedIntent } from '../../support/planned-intent.ts';

const at = '2026-11-29T10:00:00.000Z';
const later = '2026-11-29T11:00:00.000Z';
const planned = plannedIntent();

describe('retried', () => {
  it('forgets a request without an answer, and what a person has stated', () => {
    const left = parked(asked(planned, at, undefined), at, 'effect_unknown', '{}');
    const wrong = parked(stated(left, at, '871'), at, 'invalid_transition');
    expect(retried(wrong, later)).toEqual({
      ...planned,
      version: 6,
      requests: 1,
      isCounted: true,
      updatedAt: later,
      dueAt: later,
    });
  });
});

describe('postponed', () => {
  it('counts no run of an intent that only waits behind another one', () => {
    expect(postponed(planned, at, { reason: 'held', dueAt: later, isRun: false }).runs).toBe(0);
    expect(postponed(planned, at, { reason: 'timeout', dueAt: later }).runs).toBe(1);
  });
});

describe('isStillParked', () => {
  it('is true after a read that has changed nothing', () => {
    const left = parked(postponed(planned, at, { reason: 'timeout', dueAt: later }), at, 'amount_differs');
    expect(isStillParked(left)).toBe(false);
    expect(isStillParked(stillParked(left, at, later))).toBe(true);
  });
});

describe('isUncertain', () => {
  it('is true of a request without a known answer, until the shop was read after the delivery came', () => {
    const sent = asked(planned, at, undefined);
    const left = parked(sent, at, 'effect_unknown');
    expect([planned, sent, left].map((intent) => isUncertain(intent, later))).toEqual([false, true, true]);
    expect(isUncertain(stillParked(left, '2026-11-29T12:00:00.000Z', later), later)).toBe(false);
  });

  it('is false of a parked intent that has sent nothing', () => {
    expect(isUncertain(parked(planned, at, 'amount_differs'), later)).toBe(false);
  });
});
