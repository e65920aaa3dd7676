import { describe, expect, it } from 'vitest';
import type { EffectAction } from '../../../lib/domain/write-back/actions.ts';
import {
  asked,
  cancelled,
  confirmed,
  type Intent,
  parked,
  postponed,
  shadowed,
} from '../../../lib/domain/write-back/intent.ts';
import { heldBy, heldNext, inTurn, isAskedAgain, nextIntent } from '../../../lib/domain/write-back/queue.ts';
import { plannedIntent } from '../../support/planned-intent.ts';

const at = '2026-11-29T10:00:00.000Z';
const later = '2026-11-29T11:00:00.000Z';

const planned = (id: string, action: EffectAction): Intent => plannedIntent({ id, action });

describe('inTurn', () => {
  it('returns the oldest first, and money last', () => {
    const intents = [planned('1', 'approve'), planned('2', 'refund'), planned('3', 'receive')];
    expect(inTurn(intents).map(({ id }) => id)).toEqual(['1', '3', '2']);
  });

  it('orders what one millisecond planned by the versions of the return, and by the action', () => {
    const intents = [
      { ...planned('3', 'approve'), returnVersion: 2 },
      { ...planned('2', 'close'), returnVersion: 5 },
      { ...planned('1', 'receive'), returnVersion: 5 },
    ];
    expect(inTurn(intents).map(({ id }) => id)).toEqual(['3', '1', '2']);
  });

  it('begins with a request without a known answer, also before a parked intent', () => {
    const intents = [parked(planned('1', 'approve'), at, 'x'), asked(planned('2', 'refund'), at, undefined)];
    expect(inTurn(intents).map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('leaves out what has ended, and what is only compared', () => {
    const shadow = shadowed(planned('2', 'receive'), at, { dueAt: at });
    expect(inTurn([confirmed(planned('1', 'approve'), at, { by: 'shop' }), shadow])).toEqual([]);
  });
});

describe('nextIntent', () => {
  it('returns nothing while the first intent is parked or not due', () => {
    const refund = planned('2', 'refund');
    expect(nextIntent([parked(planned('1', 'receive'), at, 'lines_differ'), refund], at)).toBeUndefined();
    const waiting = postponed(asked(planned('1', 'receive'), at, undefined), at, { reason: 'x', dueAt: later });
    expect(nextIntent([waiting, refund], at)).toBeUndefined();
    expect(nextIntent([waiting, refund], later)?.id).toBe('1');
  });

  it('returns a comparison that is due, whatever waits', () => {
    const soon = '2026-11-29T10:30:00.000Z';
    const intents = [parked(planned('1', 'approve'), at, 'x'), shadowed(planned('2', 'receive'), at, { dueAt: soon })];
    expect(nextIntent(intents, at)).toBeUndefined();
    expect(nextIntent(intents, soon)?.id).toBe('2');
  });

  it('returns a parked intent after an hour, to read the shop again', () => {
    expect(nextIntent([parked(planned('1', 'refund'), at, 'effect_unknown')], later)?.id).toBe('1');
  });
});

describe('an intent that was held', () => {
  const held = postponed(planned('2', 'receive'), at, { reason: 'held', dueAt: later, isRun: false });
  const before = parked(planned('1', 'approve'), at, 'x');

  it('runs as soon as it is the first', () => {
    expect(nextIntent([before, held], at)).toBeUndefined();
    expect(nextIntent([cancelled(before, at, 'resolved_as_not_done'), held], at)?.id).toBe('2');
  });

  it('is the next after the end of the first', () => {
    expect(heldNext([before, held, planned('3', 'refund')], before)?.id).toBe('2');
    expect(heldNext([before, planned('3', 'refund')], before)).toBeUndefined();
  });
});

describe('heldBy', () => {
  it('names the intent that must end first', () => {
    const intents = [parked(planned('1', 'approve'), at, 'x'), planned('2', 'receive')];
    expect(heldBy(intents, { id: '2' })?.id).toBe('1');
    expect(heldBy(intents, { id: '1' })).toBeUndefined();
  });
});

describe('isAskedAgain', () => {
  const first = planned('1', 'inspect');

  it('is true while a later intent has the same goods of the return', () => {
    expect(isAskedAgain([first, planned('2', 'receive'), planned('3', 'inspect')], first)).toBe(true);
  });

  it.each([
    ['no later one', []],
    ['one of another action', [planned('2', 'receive')]],
    ['one of another return', [{ ...planned('2', 'inspect'), returnId: 'ret_other' }]],
    ['one that has ended', [confirmed(planned('2', 'inspect'), at, { by: 'shop' })]],
  ])('is false with %s', (_, others) => {
    expect(isAskedAgain([first, ...others], first)).toBe(false);
  });

  it('is false for two refunds: each has money of its own', () => {
    const refund = planned('1', 'refund');
    expect(isAskedAgain([refund, planned('2', 'refund')], refund)).toBe(false);
  });
});
