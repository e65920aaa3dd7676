import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cancel, complete, expire } from '../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { correct } from '../../../lib/domain/returns/commands/goods/correct.ts';
import {
  approve,
  reject,
  provideInfo,
  requestInfo,
} from '../../../lib/domain/returns/commands/request/review-request.ts';
import { reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { addNote } from '../../../lib/domain/returns/commands/annotations.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import { held, openUnits, outstanding, undecided, uninspected } from '../../../lib/domain/returns/goods/quantities.ts';
import { applyEvent as afterEvent, fold } from '../../../lib/domain/returns/history/fold.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { statuses } from '../../../lib/domain/returns/model/status.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { allowsCommand, endedStatuses, scopeOf } from '../../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { after, type Case, lineIdOf, requestedCase, sealed, situationOf } from '../../support/return-case.ts';

const reason = { reason: sealed('reason') };
const words = { id: 'note_1', text: sealed('note_1') };
const note = { id: 'note_1', actor: { clientId: 'shop' }, visibility: 'internal' as const, note: sealed('note_1') };

/** Units of the two lines. They are negative when a correction removes them. */
type Units = readonly [number, number];

const named = (units: Units) =>
  units.map((quantity, index) => ({ lineId: lineIdOf(index), quantity })).filter(({ quantity }) => quantity > 0);

const corrected =
  (field: 'received' | 'missing' | 'accepted' | 'refused') =>
  (situation: Situation, units: Units): Result<Outcome> => {
    const lines = units
      .map((quantity, index) => ({ lineId: lineIdOf(index), [field]: quantity }))
      .filter((_, index) => units[index] !== 0 || units.every((quantity) => quantity === 0));
    const ids = units.map(() => ({ accepted: 'ins_1', refused: 'ins_2' }));
    return correct(situation, { correction: reason, lines, ids });
  };

const commands = {
  approve: (situation: Situation) => approve(situation, {}),
  approvePart: (situation: Situation, [one, two]: Units) =>
    approve(situation, {
      lines: [
        { lineId: 'a', quantity: Math.max(0, one) },
        { lineId: 'b', quantity: Math.max(0, two) },
      ],
    }),
  reject: (situation: Situation) => reject(situation, { code: 'final_sale' }),
  requestInfo: (situation: Situation) => requestInfo(situation, words),
  provideInfo: (situation: Situation) => provideInfo(situation, words),
  complete: (situation: Situation) => complete(situation, {}),
  waive: (situation: Situation) => complete(situation, { waiver: reason }),
  cancel: (situation: Situation) => cancel(situation, { cancellation: {} }),
  cancelPart: (situation: Situation, units: Units) => cancel(situation, { cancellation: {}, lines: named(units) }),
  expire,
  reopen: (situation: Situation) => reopen(situation, reason),
  receive: corrected('received'),
  miss: corrected('missing'),
  accept: corrected('accepted'),
  refuse: corrected('refused'),
  addNote: (situation: Situation) => addNote(situation, note),
} satisfies Readonly<Record<string, (situation: Situation, units: Units) => Result<Outcome>>>;

type Name = keyof typeof commands;
type Step = readonly [Name, Units];

const steps = fc.tuple(
  fc.constantFrom(...(Object.keys(commands) as Name[])),
  fc.tuple(fc.integer({ min: -1, max: 2 }), fc.integer({ min: -1, max: 2 })),
);

const decide = (one: Case, [name, units]: Step): Result<Outcome> => commands[name](situationOf(one), units);

/** Checks the invariants of every return (contract section 4). */
const expectSound = ({ state, ledger, entries }: Case) => {
  for (const { quantities, inspections, missing } of state.lines) {
    const rest = [undecided(quantities), outstanding(quantities), uninspected(quantities)];
    expect(Math.min(...Object.values(quantities), ...rest)).toBeGreaterThanOrEqual(0);
    const inspected = (outcome: 'accept' | 'refuse') =>
      inspections.filter((one) => one.outcome === outcome).reduce((sum, { quantity }) => sum + quantity, 0);
    expect([inspected('accept'), inspected('refuse')]).toEqual([quantities.accepted, quantities.refused]);
    expect(missing.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(quantities.missing);
  }
  const units = state.lines.reduce((sum, line) => sum + held(line, state.parcels), 0);
  expect(ledgerLine(ledger, '1').held).toBe(units);
  if (endedStatuses.has(state.status)) {
    expect(openUnits(state)).toEqual([]);
    expect(state.lines.filter(({ quantities }) => uninspected(quantities) > 0)).toEqual([]);
  }
  expect(entries.reduce<Return | undefined>(fold, undefined)).toEqual(state);
};

/** Applies the possible steps of a sequence, and records the status transitions. */
const play = (sequence: readonly Step[], seen?: Set<string>): Case =>
  sequence.reduce(
    (one, step) => {
      const decision = decide(one, step);
      if (!decision.ok) return one;
      const next = after(one, decision);
      seen?.add(`${step[0]}: ${one.state.status} -> ${next.state.status}`);
      expectSound(next);
      return next;
    },
    requestedCase([2, 1]),
  );

describe('life of a return', () => {
  it('stays consistent over any sequence of commands, and takes exactly the edges of the state table', () => {
    const seen = new Set<string>();
    const came: Step[] = [
      ['approve', [0, 0]],
      ['receive', [2, 0]],
      ['miss', [0, 1]],
    ];
    const unanswered: Step[] = [
      ['requestInfo', [0, 0]],
      ['expire', [0, 0]],
      ['reopen', [0, 0]],
    ];
    const examples: [Step[]][] = [
      [unanswered],
      [[...came, ['accept', [2, 0]], ['waive', [0, 0]], ['reopen', [0, 0]]]],
      [[...came, ['accept', [2, 0]], ['waive', [0, 0]], ['accept', [-1, 0]], ['reopen', [0, 0]]]],
      [[...came.slice(0, 2), ['cancel', [0, 0]]]],
      [[...came.slice(0, 2), ['accept', [2, 0]], ['cancel', [0, 0]]]],
      [
        [
          ['approve', [0, 0]],
          ['miss', [2, 1]],
          ['complete', [0, 0]],
        ],
      ],
    ];
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 14 }), (sequence) => void play(sequence, seen)),
      { numRuns: 500, seed: 20261121, examples },
    );
    // The edges of partial commands and corrections follow from quantities.
    const modes = [...seen].filter(
      (mode) => !/^(addNote|cancelPart|approvePart|receive|miss|accept|refuse):/.test(mode),
    );
    expect(modes.toSorted()).toEqual([
      'approve: info_requested -> approved',
      'approve: requested -> approved',
      'cancel: approved -> cancelled',
      'cancel: info_requested -> cancelled',
      'cancel: partially_received -> inspected',
      'cancel: partially_received -> received',
      'cancel: requested -> cancelled',
      'complete: inspected -> completed',
      'expire: approved -> expired',
      'expire: info_requested -> expired',
      'provideInfo: info_requested -> requested',
      'reject: info_requested -> rejected',
      'reject: requested -> rejected',
      'reopen: cancelled -> approved',
      'reopen: cancelled -> requested',
      'reopen: completed -> inspected',
      'reopen: expired -> approved',
      'reopen: expired -> requested',
      'reopen: rejected -> requested',
      'requestInfo: requested -> info_requested',
      'waive: inspected -> completed',
    ]);
  });

  it.each([
    ['approve', 'approve'],
    ['reject', 'reject'],
    ['requestInfo', 'requestInfo'],
    ['provideInfo', 'provideInfo'],
    ['cancel', 'cancel'],
    ['expire', 'expire'],
    ['reopen', 'reopen'],
    ['addNote', 'addNote'],
  ] as const)('allows %s only in the statuses of the state table', (name, command) => {
    const { state, ...rest } = requestedCase([2, 1]);
    for (const status of statuses) {
      const decision = decide({ ...rest, state: { ...state, status } }, [name, [1, 1]]);
      const outcome = decision.ok ? 'done' : decision.failure.code;
      expect([status, outcome]).toEqual([status, allowsCommand(status, command) ? 'done' : 'invalid_transition']);
    }
  });

  it.each(['reopen', 'receive'] as const)('needs an admin for %s', (name) => {
    const closed = play([['cancel', [0, 0]]]);
    const situation = situationOf(closed, { admin: false });
    expect(scopeOf(name === 'reopen' ? 'reopen' : 'correct', 'cancelled')).toBe('returns:admin');
    expect(commands[name](situation, [1, 1])).toMatchObject({ failure: { code: 'insufficient_scope' } });
  });
});

describe('reopen', () => {
  const closings = fc.constantFrom<Name>('reject', 'cancel', 'expire');

  it('restores exactly the open and the held units', () => {
    let closed = 0;
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 8 }), closings, (sequence, name) => {
        const before = play(sequence);
        const closing = decide(before, [name, [0, 0]]);
        if (!closing.ok) return;
        const end = after(before, closing);
        // A cancellation of outstanding units leaves the received units.
        if (!endedStatuses.has(end.state.status)) return;
        closed += 1;
        const reopened = after(end, decide(end, ['reopen', [0, 0]]));
        expectSound(reopened);
        expect(openUnits(reopened.state)).toEqual(openUnits(before.state));
        expect(reopened.ledger).toEqual(before.ledger);
        const quantities = ({ state }: Case) => state.lines.map((line) => line.quantities);
        expect(quantities(reopened)).toEqual(quantities(before));
      }),
      { numRuns: 300, seed: 20261121 },
    );
    expect(closed).toBeGreaterThan(50);
  });

  it('fails while other returns have the units', () => {
    const { ledger, ...rest } = play([['cancel', [0, 0]]]);
    const line = { ...ledgerLine(ledger, '1'), held: 2 };
    const taken = { ...rest, ledger: { ...ledger, lines: { '1': line } } };
    expect(decide(taken, ['reopen', [0, 0]])).toMatchObject({ failure: { code: 'quantity_exceeds_returnable' } });
  });

  it.each([
    ['expired', 'partially_received', { missing: -1 }],
    ['expired', 'received', { missing: -1, received: 1 }],
    ['expired', 'inspected', { missing: -1, received: 1, accepted: 1 }],
    ['completed', 'received', { refused: -1 }],
    ['completed', 'partially_received', { received: -1, refused: -1 }],
    ['completed', 'completed', { received: -1, refused: -1, missing: 1 }],
  ] as const)('is not needed when a correction leaves a return that was %s %s: %o', (was, status, differences) => {
    const expired: Step[] = [['expire', [0, 0]]];
    const completed: Step[] = [
      ['receive', [2, 0]],
      ['refuse', [2, 0]],
      ['miss', [0, 1]],
      ['complete', [0, 0]],
    ];
    const over = play([['approve', [0, 0]], ...(was === 'expired' ? expired : completed)]);
    expect(over.state.status).toBe(was);
    const ids = [{ accepted: 'ins_1', refused: 'ins_2' }];
    const lines = [{ lineId: 'a', ...differences }];
    const decision = correct(situationOf(over), { correction: reason, lines, ids });
    const next = after(over, decision);
    expectSound(next);
    expect(next.state.status).toBe(status);
  });

  it('keeps a return closed after a correction whose entry does not reopen it', () => {
    const over = play([
      ['approve', [0, 0]],
      ['expire', [0, 0]],
    ]);
    const lines = [{ lineId: 'a', quantities: { missing: -1, received: 1 }, missing: [] }];
    const event = { type: 'return.corrected', data: { correction: reason, lines } } as const;
    expect(afterEvent(over.state, { ...event, at: over.state.updatedAt }).status).toBe('expired');
  });
});

describe('limits of a return', () => {
  it('allow 100 notes and 100 messages', () => {
    const { state, ...rest } = requestedCase([1]);
    const message = { id: 'note_1', direction: 'asked' as const, at: state.createdAt, text: sealed('note_1') };
    const full = {
      ...rest,
      state: {
        ...state,
        messages: Array.from({ length: 100 }, () => message),
        notes: Array.from({ length: 100 }, () => ({ ...note, at: message.at })),
      },
    };
    expect(decide(full, ['addNote', [0, 0]])).toMatchObject({ failure: { detail: 'A return has at most 100 notes.' } });
    expect(decide(full, ['requestInfo', [0, 0]])).toMatchObject({
      failure: { detail: 'A return has at most 100 messages.' },
    });
  });
});
