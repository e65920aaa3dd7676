import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { closeReceipt, grant } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { addParcel, updateParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import { expectedUnits, repairedGoingBack } from '../../../lib/domain/returns/goods/parcels.ts';
import * as units from '../../../lib/domain/returns/goods/quantities.ts';
import { derivedStatus, fold } from '../../../lib/domain/returns/history/fold.ts';
import type { Parcel } from '../../../lib/domain/returns/model/goods.ts';
import type { Line, Return } from '../../../lib/domain/returns/model/return.ts';
import { fulfilled, taken } from '../../../lib/domain/returns/money/line-units.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { afterwards, requestReturn, type Case, openCase, situationOf } from '../../support/return-case.ts';

const facts = order({
  lines: [orderLine({ lineId: '1', quantity: 8, unitPrice: eur(333) }), orderLine({ lineId: '2', quantity: 3 })],
});
const wanted = [
  { orderLineId: '1', quantity: 4 },
  { orderLineId: '2', quantity: 2 },
  { orderLineId: '1', quantity: 2 },
];

const statuses: readonly Parcel['status'][] = [
  'label_created',
  'in_transit',
  'delivered',
  'exception',
  'lost',
  'cancelled',
];

const names = [
  'approve',
  'cancel',
  'add parcel',
  'update parcel',
  'receive',
  'receive parcel',
  'close',
  'close all',
  'inspect',
  'grant missing',
  'grant refused',
  'refund',
  'another return',
] as const;
type Name = (typeof names)[number];

/** Commands that need units. */
const ofUnits: ReadonlySet<Name> = new Set(['close', 'inspect', 'grant missing', 'grant refused']);

/** A command with arbitrary numbers. The domain decides which of them are valid. */
const steps = fc.tuple(
  fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom<Name[]>('receive', 'inspect', 'close all', 'add parcel', 'receive parcel'),
  ),
  fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
  fc.nat(),
);

/** A case, the units that other returns hold, and the units of each line that were ever received. */
type World = { readonly now: Case; readonly others: Record<string, number>; readonly came: Record<string, number> };

const ofLines = (state: Return, quantities: readonly number[]) =>
  state.lines
    .map(({ id }, index) => ({ lineId: id, quantity: quantities[index] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);

type Open = (line: Line, parcels: readonly Parcel[]) => number;

/** Returns the quantity, limited to the units of the line. */
const fitting = (
  state: Return,
  lines: ReturnType<typeof ofLines>,
  open: Open = ({ quantities }) => units.outstanding(quantities),
) =>
  lines
    .map(({ lineId, quantity }) => {
      const line = state.lines.find(({ id }) => id === lineId);
      return { lineId, quantity: line === undefined ? 0 : Math.min(quantity, open(line, state.parcels)) };
    })
    .filter(({ quantity }) => quantity > 0);

const pick = <Item>(items: readonly Item[], dice: number): Item | undefined => items[dice % Math.max(1, items.length)];

/** The units that a line has left for a command. The default is the outstanding units. */
const maximum: Partial<Record<Name, Open>> = {
  inspect: ({ quantities }) => units.uninspected(quantities),
  'grant missing': units.lost,
  'grant refused': units.unreturned,
  receive: () => Infinity,
};

const decide = (now: Case, name: Name, quantities: readonly number[], dice: number): Result<Outcome | undefined> => {
  const situation = situationOf(now);
  const { state, entries } = now;
  const named = ofLines(state, quantities);
  const isFit = dice % 3 > 0;
  const lines = isFit ? fitting(state, named, maximum[name]) : named;
  const step = entries.length;
  if (lines.length === 0 && ofUnits.has(name)) return { ok: true, value: undefined };
  const parcel = pick(state.parcels, dice);
  switch (name) {
    case 'approve':
      return approve(
        situation,
        dice % 2 === 0 ? {} : { lines: state.lines.map(({ id }) => ({ lineId: id, quantity: 2 })) },
      );
    case 'cancel':
      return cancel(situation, { cancellation: {}, ...(dice % 5 === 0 ? {} : { lines }) });
    case 'add parcel':
      return addParcel(situation, dice % 2 === 0 && lines.length > 0 ? { contents: lines } : {}, `pcl_${step}`);
    case 'update parcel':
      return updateParcel(situation, parcel?.id ?? '', { status: pick(statuses, dice) ?? 'lost' });
    case 'receive':
      return receive(
        situation,
        { lines, unexpected: [{ id: `unx_${step}`, quantity: 1 }] },
        state.lines.map(({ id }) => `unx_${step}_${id}`),
      );
    case 'receive parcel':
      return receive(
        situation,
        { parcelId: parcel?.id ?? '' },
        state.lines.map(({ id }) => `unx_${step}_${id}`),
      );
    case 'close':
      return closeReceipt(situation, { lines });
    case 'close all':
      return closeReceipt(situation, {});
    case 'inspect': {
      const outcome = dice % 2 === 0 ? 'accept' : 'refuse';
      const found = lines.map((line) => ({ ...line, id: `ins_${step}`, outcome, disposition: 'quarantine' }) as const);
      return inspect(situation, { lines: found });
    }
    case 'grant missing':
    case 'grant refused': {
      const of = name === 'grant missing' ? 'missing' : 'refused';
      return grant(situation, { lines: lines.map((line) => ({ ...line, of })), reason: 'goodwill' });
    }
    case 'refund': {
      const [quantity = 0] = quantities;
      const optionalLines = quantity === 0 ? {} : { lines: [{ orderLineId: '1', quantity }] };
      const moved = {
        method: 'manual',
        amount: eur(300),
        occurredAt: '2026-11-20T00:00:00.000Z',
        ...optionalLines,
      } as const;
      const ids = { id: `rfd_${step}`, externalId: `${step}`, now: situation.now, latest: '2027-01-01T00:00:00.000Z' };
      const booked = recordRefund(facts, now.ledger, state, moved, ids);
      const [first, ...rest] = booked.ok ? booked.value.events : [];
      if (!booked.ok || first === undefined) return { ok: true, value: undefined };
      return { ok: true, value: { events: [first, ...rest], ledger: booked.value.ledger } };
    }
    case 'another return':
      return { ok: true, value: undefined };
  }
};

/** Another return of the same order takes units of its first line, if any are left. */
const takeElsewhere = (world: World, quantity: number): World => {
  const taking = requestReturn(facts, world.now.ledger, [{ orderLineId: '1', quantity }]);
  if (!taking.ok || quantity === 0) return world;
  const others = { ...world.others, '1': (world.others['1'] ?? 0) + quantity };
  return { ...world, others, now: { ...world.now, ledger: taking.value.ledger } };
};

const cameWith = ({ now, came }: World, name: Name, quantities: readonly number[], dice: number) => {
  const parcel = pick(now.state.parcels, dice);
  const named = name === 'receive' ? ofLines(now.state, quantities) : (parcel?.contents ?? []);
  if (name !== 'receive' && name !== 'receive parcel') return came;
  const more = named.map(({ lineId, quantity }) => [lineId, (came[lineId] ?? 0) + quantity] as const);
  return { ...came, ...Object.fromEntries(more) };
};

/** The statuses in which repaired units were on their way back. */
const repaired = new Set<string>();

const expectSound = ({ now, others, came }: World) => {
  const { state, ledger, entries } = now;
  for (const line of state.lines) {
    const { quantities: q, missing } = line;
    const derived = [units.undecided(q), units.outstanding(q), units.uninspected(q), units.lost(line)];
    const more = [units.held(line, state.parcels), units.claimable(line), units.unreturned(line, state.parcels)];
    expect(Math.min(...Object.values(q), ...derived, ...more)).toBeGreaterThanOrEqual(0);
    expect(q.repaired ?? 0).toBe(repairedGoingBack(line.id, state.parcels));
    expect(q.repaired ?? 0).toBeLessThanOrEqual(line.resolution === 'repair' ? q.accepted : 0);
    if ((q.repaired ?? 0) > 0) repaired.add(state.status);
    expect(q.requested).toBe(q.approved + q.rejected + units.undecided(q));
    expect(q.received).toBe(q.accepted + q.refused + units.uninspected(q));
    expect(q.approved).toBe(q.cancelled + q.returnless + q.received + q.missing + units.outstanding(q));
    expect(q.missing).toBe(missing.reduce((sum, { quantity }) => sum + quantity, 0));
    expect(missing.every(({ quantity, granted }) => quantity > 0 && granted <= quantity)).toBe(true);
    expect(q.received).toBeLessThanOrEqual(came[line.id] ?? 0);
    // A late parcel may contain missing units. No received unit is in an expected parcel.
    expect(expectedUnits(line.id, state.parcels)).toBeLessThanOrEqual(units.outstanding(q) + q.missing);
    expect(units.entitled(q)).toBeLessThanOrEqual(q.approved - q.cancelled);
    if (units.outstanding(q) + units.undecided(q) === 0)
      expect(units.refundable(line)).toBeLessThanOrEqual(q.received + q.granted);
  }
  for (const line of facts.facts.lines) {
    const own = state.lines.filter(({ orderLineId }) => orderLineId === line.lineId);
    const held = own.reduce((sum, one) => sum + units.held(one, state.parcels), 0);
    expect(ledgerLine(ledger, line.lineId).held).toBe(held + (others[line.lineId] ?? 0));
  }
  expect(derivedStatus(state)).toBe(state.status);
  expect(entries.reduce<Return | undefined>(fold, undefined)).toEqual(state);
};

describe('commands on goods', () => {
  it('keep units, parcels, ledger and status consistent over any sequence', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(steps, { maxLength: 20, size: 'max' }),
        fc.constantFrom('required', 'skipped'),
        fc.constantFrom('refund', 'repair'),
        (sequence, inspection, resolution) => {
          // The last line shares its order line with one that has another resolution.
          const lines = wanted.map((line, at) => (at === wanted.length - 1 ? line : { ...line, resolution }));
          const opened = openCase(lines, { facts, terms: { ...defaultTerms, inspection } });
          const approved = approve(situationOf(opened), {});
          if (!approved.ok) throw new Error(approved.failure.code);
          let world: World = { now: afterwards(opened, approved.value), others: {}, came: {} };
          for (const [name, quantities, dice] of sequence) {
            if (name === 'another return') world = takeElsewhere(world, quantities[0] ?? 0);
            const decision = decide(world.now, name, quantities, dice);
            const code = decision.ok ? undefined : decision.failure.code;
            expect(name === 'receive' ? code : undefined).toBeOneOf([undefined, 'invalid_transition']);
            if (!decision.ok || decision.value === undefined) continue;
            const { ledger } = world.now;
            const came = cameWith(world, name, quantities, dice);
            world = { ...world, came, now: afterwards(world.now, decision.value) };
            reached.add(`${name} -> ${world.now.state.status}`);
            expectSound(world);
            if (name === 'refund') continue;
            for (const line of facts.facts.lines)
              expect(taken(world.now.ledger, line.lineId)).toBeLessThanOrEqual(
                Math.max(fulfilled(line), taken(ledger, line.lineId)),
              );
          }
        },
      ),
      { numRuns: 200, seed: 20261121 },
    );
    expect(repaired).toContain('inspected');
    expect([...reached].toSorted()).toEqual(
      expect.arrayContaining([
        'add parcel -> approved',
        'add parcel -> inspected',
        'cancel -> cancelled',
        'close -> partially_received',
        'close all -> inspected',
        'close all -> received',
        'grant missing -> inspected',
        'grant refused -> inspected',
        'inspect -> inspected',
        'inspect -> partially_received',
        'receive -> cancelled',
        'receive -> inspected',
        'receive -> partially_received',
        'receive -> received',
        'receive parcel -> received',
        'update parcel -> in_transit',
      ]),
    );
  });
});
