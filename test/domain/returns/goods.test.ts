import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt, grant } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { addParcel, updateParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { type Status, statuses } from '../../../lib/domain/returns/model/status.ts';
import { ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { allowsCommand, commands } from '../../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { afterwards, requestReturn, type Case, openCase, run, situationOf } from '../../support/return-case.ts';

const ids = ['unx_1', 'unx_2', 'unx_3'];
const approving = (situation: Situation) => approve(situation, {});
const receiving =
  (quantity: number, lineId = 'a') =>
  (situation: Situation) =>
    receive(situation, { lines: [{ lineId, quantity }] }, ids);
const closing = (situation: Situation) => closeReceipt(situation, {});
const finding = (outcome: 'accept' | 'refuse', quantity: number) => (situation: Situation) =>
  inspect(situation, { lines: [{ id: 'ins_1', lineId: 'a', quantity, outcome, disposition: 'quarantine' }] });
const boxed = (id: string) => (situation: Situation) => addParcel(situation, {}, id);

/** Returns a case with three approved units of one line, after the given steps. */
const approved = (...steps: Parameters<typeof run>[1][]): Case => run(openCase(), approving, ...steps);
const quantitiesOf = ({ state }: Case) => state.lines.map(({ quantities }) => quantities);
const as = (now: Case, status: Status): Case => ({ ...now, state: { ...now.state, status } });
const full = (now: Case, quantity: number): Case => {
  const other = requestReturn(now.order, now.ledger, [{ orderLineId: '1', quantity }]);
  if (!other.ok) throw new Error(other.failure.code);
  return { ...now, ledger: other.value.ledger };
};

describe('receive', () => {
  it('accepts units at once when the terms skip the inspection', () => {
    const terms = { ...defaultTerms, inspection: 'skipped' } as const;
    const now = run(openCase(undefined, { terms }), approving, receiving(2));
    expect(now.entries.at(-1)).toMatchObject({ data: { lines: [{ quantity: 2, late: 0, accepted: 2 }] } });
    expect(quantitiesOf(now)).toMatchObject([{ received: 2, accepted: 2 }]);
    expect(run(now, receiving(1)).state.status).toBe('inspected');
  });

  it('makes two of three units refundable when two arrive and the third is missing', () => {
    const now = approved(receiving(2), closing);
    expect(now.state).toMatchObject({
      status: 'received',
      lines: [{ amounts: { gross: eur(3000), maxRefundable: eur(2000) } }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(2);
  });

  it('receives late units that no other return has, and records the rest as unexpected', () => {
    const before = full(approved(closing), 2);
    const now = run(before, receiving(3));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1, missing: 2 }]);
    expect(now.state).toMatchObject({
      status: 'received',
      unexpected: [{ id: 'unx_1', sku: 'SHIRT-M', quantity: 2 }],
      lines: [{ missing: [{ quantity: 2, cause: 'never_sent' }] }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(3);
  });

  it('splits the units left of an order line between the lines of the return', () => {
    const requestedLines = [
      { orderLineId: '1', quantity: 1 },
      { orderLineId: '1', quantity: 2 },
    ];
    const before = full(run(openCase(requestedLines), approving, closing), 1);
    const all = {
      lines: [
        { lineId: 'a', quantity: 1 },
        { lineId: 'b', quantity: 2 },
      ],
    };
    const now = run(before, (situation) => receive(situation, all, ids));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1 }, { received: 1, missing: 1 }]);
  });

  it('receives a late unit that was refunded in advance, although the order has no unit left', () => {
    const before = approved(closing);
    const { state, ledger, now: at } = situationOf(before);
    const facts = { method: 'manual', amount: eur(1000), occurredAt: '2026-11-20T00:00:00.000Z' } as const;
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const booked = recordRefund(
      before.order,
      ledger,
      state,
      { ...facts, lines },
      {
        id: 'rfd_1',
        externalId: '1',
        now: at,
        latest: '2027-01-01T00:00:00.000Z',
      },
    );
    const [event] = booked.ok ? booked.value.events : [];
    if (!booked.ok || event === undefined) throw new Error('not booked');
    const paid = full(afterwards(before, { events: [event], ledger: booked.value.ledger }), 2);
    expect(quantitiesOf(run(paid, receiving(2)))).toMatchObject([{ received: 1, missing: 2 }]);
  });

  it('does not receive units that were granted as missing', () => {
    const honour = (situation: Situation) =>
      grant(situation, { lines: [{ lineId: 'a', quantity: 2, of: 'missing' }], reason: 'goodwill' });
    const now = run(approved(closing, honour), receiving(3));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1, missing: 2, granted: 2 }]);
    expect(now.state.unexpected).toMatchObject([{ quantity: 2 }]);
  });

  it.each(['completed', 'expired'] as const)('reopens a return that is %s', (status) => {
    const now = run(as(approved(closing), status), receiving(1));
    expect(now.state).toMatchObject({ status: 'received', lines: [{ quantities: { received: 1, missing: 2 } }] });
  });

  it.each(['completed', 'expired'] as const)('leaves a return %s when only unexpected items arrive', (status) => {
    const stray = (situation: Situation) => receive(situation, { unexpected: [{ id: 'unx_1', quantity: 1 }] }, ids);
    expect(run(as(approved(closing), status), stray).state).toMatchObject({ status, unexpected: [{ id: 'unx_1' }] });
  });

  it.each([
    ['rejected', (situation: Situation) => reject(situation, { code: 'final_sale' })],
    ['cancelled', (situation: Situation) => cancel(situation, { cancellation: {} })],
  ])('books all units as unexpected for a return that is %s', (status, end) => {
    const now = run(openCase(), end, receiving(2));
    expect(now.state).toMatchObject({
      status,
      unexpected: [{ quantity: 2 }],
      lines: [{ quantities: { received: 0 } }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(0);
  });

  it('receives a parcel with its contents, also a lost parcel that is found', () => {
    const lose = (situation: Situation) => updateParcel(situation, 'pcl_1', { status: 'lost' });
    const now = approved(boxed('pcl_1'), lose, (situation) => receive(situation, { parcelId: 'pcl_1' }, ids));
    expect(now.state).toMatchObject({
      status: 'received',
      parcels: [
        { status: 'delivered', events: [{ status: 'label_created' }, { status: 'lost' }, { status: 'delivered' }] },
      ],
    });
    const types = now.entries.slice(-2).map(({ type, to }) => [type, to]);
    expect(types).toEqual([
      ['parcel.updated', 'in_transit'],
      ['items.received', 'received'],
    ]);
  });

  it('returns max_items when the list of unexpected items is full', () => {
    const stray = Array.from({ length: 100 }, (_, index) => ({ id: `unx_${index}`, quantity: 1 }));
    const dump = (situation: Situation) => receive(situation, { unexpected: stray }, ids);
    const now = approved(dump, dump, dump, dump, dump);
    expect(dump(situationOf(now))).toMatchObject({ failure: { errors: [{ path: '/unexpected', code: 'max_items' }] } });
  });
});

describe('inspect', () => {
  it('limits the deduction to the cap of the terms', () => {
    const terms = { ...defaultTerms, fees: { ...defaultTerms.fees, inspectionCapBps: 2000 } };
    const now = run(openCase(undefined, { terms }), approving, receiving(2));
    const worn = (deductionBps: number) =>
      inspect(situationOf(now), {
        lines: [{ id: 'ins_1', lineId: 'a', quantity: 1, outcome: 'accept', deductionBps }],
      });
    expect(worn(2000)).toMatchObject({ ok: true });
    expect(worn(2001)).toMatchObject({
      failure: {
        errors: [{ path: '/lines/0/deductionBps', message: 'must be at most 2000 for accepted units' }],
      },
    });
  });

  it('returns max_items after 100 inspections', () => {
    const many = order({ lines: [orderLine({ quantity: 200 })] });
    const now = run(openCase([{ orderLineId: '1', quantity: 200 }], { facts: many }), approving, receiving(200));
    const looks = (count: number) => (situation: Situation) =>
      inspect(situation, {
        lines: Array.from({ length: count }, (_, index) => ({
          id: `ins_${index}`,
          lineId: 'a',
          quantity: 1,
          outcome: 'accept' as const,
        })),
      });
    const inspected = run(now, looks(60));
    expect(looks(40)(situationOf(inspected))).toMatchObject({ ok: true });
    expect(looks(41)(situationOf(inspected))).toMatchObject({
      failure: { errors: [{ path: '/lines', code: 'max_items' }] },
    });
  });
});

describe('parcels', () => {
  it('are limited to 20 per return, cancelled parcels included', () => {
    const callOff = (id: string) => (situation: Situation) => updateParcel(situation, id, { status: 'cancelled' });
    const steps = Array.from({ length: 20 }, (_, index) => [boxed(`pcl_${index}`), callOff(`pcl_${index}`)]).flat();
    const crowded = situationOf(approved(...steps));
    expect(boxed('pcl_20')(crowded)).toMatchObject({
      failure: { errors: [{ path: '/returnId', code: 'max_items' }] },
    });
    expect(allowedActions(crowded)).toContainEqual(
      expect.objectContaining({ action: 'addParcel', blockedBy: 'too_many_parcels' }),
    );
  });

  it.each(['in_transit', 'exception', 'lost'] as const)('have left the customer when they are %s', (status) => {
    const moveTo = (next: typeof status | 'cancelled') => (situation: Situation) =>
      updateParcel(situation, 'pcl_1', { status: next });
    const left = approved(boxed('pcl_1'), moveTo(status));
    expect(left.state.status).toBe('in_transit');
    expect(run(left, closing).state.lines).toMatchObject([{ missing: [{ quantity: 3, cause: 'lost_in_transit' }] }]);
    // A lost parcel cannot be cancelled.
    const calledOff = moveTo('cancelled')(situationOf(left));
    expect(calledOff.ok && calledOff.value !== undefined && afterwards(left, calledOff.value).state.status).toBe(
      status === 'lost' ? false : 'approved',
    );
  });

  it('release units that arrive outside them, the oldest parcel first', () => {
    const packed = (id: string, quantity: number) => (situation: Situation) =>
      addParcel(situation, { contents: [{ lineId: 'a', quantity }] }, id);
    const two = approved(packed('pcl_1', 1), packed('pcl_2', 2));
    const contents = (now: Case) => now.state.parcels.map((parcel) => parcel.contents.map(({ quantity }) => quantity));
    expect(contents(run(two, receiving(1)))).toEqual([[], [2]]);
    expect(contents(run(two, receiving(2)))).toEqual([[], [1]]);
    // One unit is in no parcel.
    expect(contents(run(approved(packed('pcl_1', 2)), receiving(1)))).toEqual([[2]]);
    const some = (situation: Situation) =>
      cancel(situation, { cancellation: {}, lines: [{ lineId: 'a', quantity: 2 }] });
    expect(contents(run(two, some))).toEqual([[], [1]]);
  });

  it('still contain missing units, because those may arrive late', () => {
    const late = approved(boxed('pcl_1'), closing);
    expect(late.state.parcels).toMatchObject([{ contents: [{ quantity: 3 }] }]);
    const now = run(late, (situation) => receive(situation, { parcelId: 'pcl_1' }, ids));
    expect(quantitiesOf(now)).toMatchObject([{ received: 3, missing: 0 }]);
    expect(now.state.unexpected).toEqual([]);
  });

  it('store their last 100 events', () => {
    const change = (index: number) => (situation: Situation) =>
      updateParcel(situation, 'pcl_1', { status: index % 2 === 0 ? 'in_transit' : 'exception' });
    const now = approved(boxed('pcl_1'), ...Array.from({ length: 101 }, (_, index) => change(index)));
    const [parcel] = now.state.parcels;
    expect(parcel?.events).toHaveLength(100);
    expect(parcel?.events.map(({ status }) => status)).not.toContain('label_created');
  });

  it('release refused units for another return when they are sent, and hold them again when cancelled', () => {
    const refused = approved(receiving(3), finding('refuse', 3), boxed('pcl_1'));
    expect(ledgerLine(refused.ledger, '1').held).toBe(3);
    const sent = run(refused, (situation) => updateParcel(situation, 'pcl_1', { status: 'in_transit' }));
    expect(ledgerLine(sent.ledger, '1').held).toBe(0);
    const callOff = (situation: Situation) => updateParcel(situation, 'pcl_1', { status: 'cancelled' });
    expect(ledgerLine(run(sent, callOff).ledger, '1').held).toBe(3);
    expect(callOff(situationOf(full(sent, 1)))).toMatchObject({ failure: { code: 'quantity_exceeds_returnable' } });
  });
});

describe('grant', () => {
  it('needs an admin', () => {
    const honour = { lines: [{ lineId: 'a', quantity: 1, of: 'missing' as const }], reason: 'goodwill' };
    expect(grant(situationOf(approved(closing), { admin: false }), honour)).toMatchObject({
      failure: { code: 'insufficient_scope' },
    });
  });

  it('does not grant a unit that another return has taken', () => {
    const honour = { lines: [{ lineId: 'a', quantity: 1, of: 'missing' as const }], reason: 'goodwill' };
    expect(grant(situationOf(full(approved(closing), 3)), honour)).toMatchObject({
      failure: { code: 'quantity_exceeds_returnable' },
    });
  });

  it('grants refused units until they are in a parcel to the customer', () => {
    const refused = approved(receiving(3), finding('refuse', 3));
    const honour = (quantity: number) => (situation: Situation) =>
      grant(situation, { lines: [{ lineId: 'a', quantity, of: 'refused' }], reason: 'goodwill' });
    const honoured = run(refused, honour(1), (situation) =>
      addParcel(situation, { contents: [{ lineId: 'a', quantity: 1 }] }, 'pcl_1'),
    );
    expect(honoured.state.lines).toMatchObject([{ quantities: { granted: 1 }, amounts: { maxRefundable: eur(1000) } }]);
    expect(honour(2)(situationOf(honoured))).toMatchObject({ failure: { errors: [{ message: 'must be at most 1' }] } });
  });
});

describe('state table', () => {
  const attempts = {
    addParcel: boxed('pcl_9'),
    updateParcel: (situation) => updateParcel(situation, 'pcl_1', { carrier: 'dhl' }),
    receive: receiving(1),
    closeReceipt: closing,
    inspect: finding('accept', 1),
    grant: (situation) =>
      grant(situation, { lines: [{ lineId: 'a', quantity: 1, of: 'missing' }], reason: 'goodwill' }),
  } as const satisfies Partial<Record<(typeof commands)[number], (situation: Situation) => unknown>>;
  const lose = (situation: Situation) => closeReceipt(situation, { lines: [{ lineId: 'a', quantity: 1 }] });
  /** One unit is missing, one is received, and one is outstanding in a parcel. */
  const mixed = approved(
    (situation) => addParcel(situation, { contents: [{ lineId: 'a', quantity: 1 }] }, 'pcl_1'),
    lose,
    receiving(1),
  );

  it.each(Object.entries(attempts))('allows %s only in its statuses', (name, attempt) => {
    const command = commands.find((one) => one === name);
    if (command === undefined) throw new Error(`no command ${name}`);
    for (const status of statuses) {
      const now = as(mixed, status);
      const action = allowedActions(situationOf(now)).find((one) => one.action === name);
      const decision = attempt(situationOf(now));
      const { ok } = decision;
      const blockedBy = allowsCommand(status, command) ? action?.blockedBy : 'invalid_transition';
      expect({ status, ok, blockedBy: action?.blockedBy }).toEqual({ status, ok: action?.allowed, blockedBy });
    }
  });

  it('reports the other blockers of a command', () => {
    const blocked = (now: Case) =>
      Object.fromEntries(
        allowedActions(situationOf(now)).flatMap(({ action, blockedBy }) =>
          blockedBy === undefined ? [] : [[action, blockedBy]],
        ),
      );
    expect(blocked(approved(boxed('pcl_1')))).toMatchObject({
      addParcel: 'nothing_to_send',
      grant: 'nothing_to_grant',
    });
    expect(blocked(approved())).toMatchObject({ updateParcel: 'no_parcel' });
    expect(blocked(approved(receiving(3), finding('accept', 3)))).toMatchObject({ inspect: 'nothing_to_inspect' });
    const approvedCase = approved();
    const lines = approvedCase.state.lines.map((line) => ({
      ...line,
      quantities: { ...line.quantities, returnless: 3 },
    }));
    expect(blocked({ ...approvedCase, state: { ...approvedCase.state, lines } })).toMatchObject({
      closeReceipt: 'nothing_outstanding',
    });
  });
});
