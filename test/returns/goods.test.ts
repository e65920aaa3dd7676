import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/terms/policy-terms.ts';
import { cancel } from '../../lib/returns/commands/endings.ts';
import { closeReceipt, grant } from '../../lib/returns/commands/goods/missing-units.ts';
import { inspect } from '../../lib/returns/commands/goods/inspect.ts';
import { receive } from '../../lib/returns/commands/goods/receive.ts';
import { addParcel, updateParcel } from '../../lib/returns/commands/goods/parcels.ts';
import { recordRefund } from '../../lib/returns/commands/money/record-refund.ts';
import { approve, reject } from '../../lib/returns/commands/request/approve-reject.ts';
import { type Status, statuses } from '../../lib/returns/model/status.ts';
import { ledgerLine } from '../../lib/returns/money/ledger.ts';
import { allowedActions } from '../../lib/returns/rules/allowed-actions.ts';
import { allowsCommand, commands } from '../../lib/returns/rules/states.ts';
import type { Situation } from '../../lib/returns/situation.ts';
import { eur, order, orderLine } from '../support/orders.ts';
import { afterwards, ask, type Case, openCase, run, situationOf } from '../support/return-case.ts';

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

/** Three units of one line, approved, and what becomes of them. */
const approved = (...steps: Parameters<typeof run>[1][]): Case => run(openCase(), approving, ...steps);
const quantitiesOf = ({ state }: Case) => state.lines.map(({ quantities }) => quantities);
const as = (now: Case, status: Status): Case => ({ ...now, state: { ...now.state, status } });
const full = (now: Case, quantity: number): Case => {
  const other = ask(now.order, now.ledger, [{ orderLineId: '1', quantity }]);
  if (!other.ok) throw new Error(other.failure.code);
  return { ...now, ledger: other.value.ledger };
};

describe('receive', () => {
  it('accepts at once where nobody inspects', () => {
    const terms = { ...defaultTerms, inspection: 'skipped' } as const;
    const now = run(openCase(undefined, { terms }), approving, receiving(2));
    expect(now.entries.at(-1)).toMatchObject({ data: { lines: [{ quantity: 2, late: 0, accepted: 2 }] } });
    expect(quantitiesOf(now)).toMatchObject([{ received: 2, accepted: 2 }]);
    expect(run(now, receiving(1)).state.status).toBe('inspected');
  });

  it('makes two of three units refundable when two come and the rest is given up', () => {
    const now = approved(receiving(2), closing);
    expect(now.state).toMatchObject({
      status: 'received',
      lines: [{ amounts: { gross: eur(3000), maxRefundable: eur(2000) } }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(2);
  });

  it('takes late units as long as no other return has them, and calls the rest unexpected', () => {
    const given = full(approved(closing), 2);
    const now = run(given, receiving(3));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1, missing: 2 }]);
    expect(now.state).toMatchObject({
      status: 'received',
      unexpected: [{ id: 'unx_1', sku: 'SHIRT-M', quantity: 2 }],
      lines: [{ missing: [{ quantity: 2, cause: 'never_sent' }] }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(3);
  });

  it('shares what is left of a line of the order between the lines of the return', () => {
    const asked = [
      { orderLineId: '1', quantity: 1 },
      { orderLineId: '1', quantity: 2 },
    ];
    const given = full(run(openCase(asked), approving, closing), 1);
    const all = {
      lines: [
        { lineId: 'a', quantity: 1 },
        { lineId: 'b', quantity: 2 },
      ],
    };
    const now = run(given, (situation) => receive(situation, all, ids));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1 }, { received: 1, missing: 1 }]);
  });

  it('takes a late unit that was refunded ahead, though the order has no unit left', () => {
    const given = approved(closing);
    const { state, ledger, now: at } = situationOf(given);
    const facts = { method: 'manual', amount: eur(1000), occurredAt: '2026-11-20T00:00:00.000Z' } as const;
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const booked = recordRefund(
      given.order,
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
    const paid = full(afterwards(given, { events: [event], ledger: booked.value.ledger }), 2);
    expect(quantitiesOf(run(paid, receiving(2)))).toMatchObject([{ received: 1, missing: 2 }]);
  });

  it('leaves units alone that were honoured as missing', () => {
    const honour = (situation: Situation) =>
      grant(situation, { lines: [{ lineId: 'a', quantity: 2, of: 'missing' }], reason: 'goodwill' });
    const now = run(approved(closing, honour), receiving(3));
    expect(quantitiesOf(now)).toMatchObject([{ received: 1, missing: 2, granted: 2 }]);
    expect(now.state.unexpected).toMatchObject([{ quantity: 2 }]);
  });

  it.each(['completed', 'expired'] as const)('takes up a return that is %s', (status) => {
    const now = run(as(approved(closing), status), receiving(1));
    expect(now.state).toMatchObject({ status: 'received', lines: [{ quantities: { received: 1, missing: 2 } }] });
  });

  it.each(['completed', 'expired'] as const)('leaves a return %s for what it does not know', (status) => {
    const stray = (situation: Situation) => receive(situation, { unexpected: [{ id: 'unx_1', quantity: 1 }] }, ids);
    expect(run(as(approved(closing), status), stray).state).toMatchObject({ status, unexpected: [{ id: 'unx_1' }] });
  });

  it.each([
    ['rejected', (situation: Situation) => reject(situation, { code: 'final_sale' })],
    ['cancelled', (situation: Situation) => cancel(situation, { cancellation: {} })],
  ])('gives nothing for a return that is %s', (status, end) => {
    const now = run(openCase(), end, receiving(2));
    expect(now.state).toMatchObject({
      status,
      unexpected: [{ quantity: 2 }],
      lines: [{ quantities: { received: 0 } }],
    });
    expect(ledgerLine(now.ledger, '1').held).toBe(0);
  });

  it('takes a parcel as it was packed, once it is found even one that was lost', () => {
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

  it('holds no more unexpected items than can be kept', () => {
    const stray = Array.from({ length: 100 }, (_, index) => ({ id: `unx_${index}`, quantity: 1 }));
    const dump = (situation: Situation) => receive(situation, { unexpected: stray }, ids);
    const now = approved(dump, dump, dump, dump, dump);
    expect(dump(situationOf(now))).toMatchObject({ failure: { errors: [{ path: '/unexpected', code: 'max_items' }] } });
  });
});

describe('inspect', () => {
  it('takes off no more than the terms of the return allow', () => {
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

  it('is done a hundred times at most', () => {
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
  it('are twenty of a return at most, those that were called off among them', () => {
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
    const told = (next: typeof status | 'cancelled') => (situation: Situation) =>
      updateParcel(situation, 'pcl_1', { status: next });
    const left = approved(boxed('pcl_1'), told(status));
    expect(left.state.status).toBe('in_transit');
    expect(run(left, closing).state.lines).toMatchObject([{ missing: [{ quantity: 3, cause: 'lost_in_transit' }] }]);
    // Nobody calls off what is lost.
    const calledOff = told('cancelled')(situationOf(left));
    expect(calledOff.ok && calledOff.value !== undefined && afterwards(left, calledOff.value).state.status).toBe(
      status === 'lost' ? false : 'approved',
    );
  });

  it('hold no unit that came outside them, the oldest of them first', () => {
    const packed = (id: string, quantity: number) => (situation: Situation) =>
      addParcel(situation, { contents: [{ lineId: 'a', quantity }] }, id);
    const two = approved(packed('pcl_1', 1), packed('pcl_2', 2));
    const contents = (now: Case) => now.state.parcels.map((parcel) => parcel.contents.map(({ quantity }) => quantity));
    expect(contents(run(two, receiving(1)))).toEqual([[], [2]]);
    expect(contents(run(two, receiving(2)))).toEqual([[], [1]]);
    // One unit was in no parcel.
    expect(contents(run(approved(packed('pcl_1', 2)), receiving(1)))).toEqual([[2]]);
    const some = (situation: Situation) =>
      cancel(situation, { cancellation: {}, lines: [{ lineId: 'a', quantity: 2 }] });
    expect(contents(run(two, some))).toEqual([[], [1]]);
  });

  it('hold what was given up, because it may come late', () => {
    const late = approved(boxed('pcl_1'), closing);
    expect(late.state.parcels).toMatchObject([{ contents: [{ quantity: 3 }] }]);
    const now = run(late, (situation) => receive(situation, { parcelId: 'pcl_1' }, ids));
    expect(quantitiesOf(now)).toMatchObject([{ received: 3, missing: 0 }]);
    expect(now.state.unexpected).toEqual([]);
  });

  it('keep the last hundred of their events', () => {
    const change = (index: number) => (situation: Situation) =>
      updateParcel(situation, 'pcl_1', { status: index % 2 === 0 ? 'in_transit' : 'exception' });
    const now = approved(boxed('pcl_1'), ...Array.from({ length: 101 }, (_, index) => change(index)));
    const [parcel] = now.state.parcels;
    expect(parcel?.events).toHaveLength(100);
    expect(parcel?.events.map(({ status }) => status)).not.toContain('label_created');
  });

  it('free refused units for another return once they have left, and take them back when they have not', () => {
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
  it('is for an admin', () => {
    const honour = { lines: [{ lineId: 'a', quantity: 1, of: 'missing' as const }], reason: 'goodwill' };
    expect(grant(situationOf(approved(closing), { admin: false }), honour)).toMatchObject({
      failure: { code: 'insufficient_scope' },
    });
  });

  it('does not honour a unit that another return has taken', () => {
    const honour = { lines: [{ lineId: 'a', quantity: 1, of: 'missing' as const }], reason: 'goodwill' };
    expect(grant(situationOf(full(approved(closing), 3)), honour)).toMatchObject({
      failure: { code: 'quantity_exceeds_returnable' },
    });
  });

  it('honours refused units until they are in a parcel back', () => {
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

describe('the state table', () => {
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
  /** One unit missing, one here, one outstanding, which a parcel holds. */
  const mixed = approved(
    (situation) => addParcel(situation, { contents: [{ lineId: 'a', quantity: 1 }] }, 'pcl_1'),
    lose,
    receiving(1),
  );

  it.each(Object.entries(attempts))('lets %s in where it says so, and nowhere else', (name, attempt) => {
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

  it('says what else stands in the way', () => {
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
    const kept = approved();
    const lines = kept.state.lines.map((line) => ({ ...line, quantities: { ...line.quantities, returnless: 3 } }));
    expect(blocked({ ...kept, state: { ...kept.state, lines } })).toMatchObject({
      closeReceipt: 'nothing_outstanding',
    });
  });
});
