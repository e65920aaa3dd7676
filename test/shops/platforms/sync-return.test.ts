import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RemoteReturn, RemoteUnits } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { run, start } from '../../support/return-case.ts';
import { newCase, sync, outcomeOf } from './synced-case.ts';
import { runs } from '../../support/samples.ts';

type Units = { readonly restocked: number; readonly put: number; readonly waiting: number; readonly missing: number };
/** A line of the platform's return, and the state of its units. */
type Line = { readonly orderLineId: string; readonly quantity: number; readonly reduced?: true } & Units;
type There = { readonly status: RemoteReturn['status']; readonly lines: readonly Line[]; readonly parcels: number };

const untouched: Units = { restocked: 0, put: 0, waiting: 0, missing: 0 };
const disposed = ({ restocked, put, waiting, missing }: Units): number => restocked + put + waiting + missing;

const unitsOf = ({ orderLineId, restocked, put, waiting, missing }: Line): RemoteUnits => ({
  orderLineId,
  received: restocked + put + waiting,
  missing,
  found: [
    { outcome: 'accept' as const, disposition: 'restock' as const, quantity: restocked },
    { outcome: 'accept' as const, disposition: 'quarantine' as const, quantity: put },
  ].filter(({ quantity }) => quantity > 0),
});

const toRemoteReturn = ({ status, lines, parcels }: There): RemoteReturn => ({
  platform: 'acme',
  externalId: '7',
  orderId: '1',
  status,
  createdAt: start,
  fetchedAt: start,
  initiatedBy: 'customer',
  lines: lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ orderLineId, quantity }) => ({ orderLineId, quantity, reason: { code: 'other' } })),
  parcels: Array.from({ length: parcels }, (_, index) => ({ trackingNumber: `T${index}` })),
  units: lines.map(unitsOf).filter(({ received, missing }) => received + missing > 0),
});

type Move = {
  readonly what:
    | 'approve'
    | 'decline'
    | 'cancel'
    | 'close'
    | 'reopen'
    | 'attach'
    | 'remove'
    | 'add'
    | keyof Units
    | 'found';
  readonly line: number;
  readonly quantity: number;
};

const moves: fc.Arbitrary<Move> = fc.record({
  what: fc.constantFrom(
    'approve',
    'approve',
    'approve',
    'decline',
    'cancel',
    'close',
    'reopen',
    'attach',
    'remove',
    'add',
    'restocked',
    'put',
    'waiting',
    'missing',
    'found',
  ),
  line: fc.nat({ max: 1 }),
  quantity: fc.integer({ min: 1, max: 3 }),
});

const from: Readonly<Partial<Record<Move['what'], readonly [RemoteReturn['status'], RemoteReturn['status']]>>> = {
  approve: ['requested', 'approved'],
  decline: ['requested', 'rejected'],
  close: ['approved', 'completed'],
  reopen: ['completed', 'approved'],
};

/** Returns the platform's return after a move. A move that the platform does not allow changes nothing. */
const moved = (there: There, { what, line: index, quantity }: Move): There => {
  const next = from[what];
  if (next !== undefined) return there.status === next[0] ? { ...there, status: next[1] } : there;
  const isOpen = there.status === 'approved';
  if (what === 'cancel') {
    const isUntouched = there.lines.every((line) => disposed(line) === 0);
    return there.status === 'requested' || (isOpen && isUntouched) ? { ...there, status: 'cancelled' } : there;
  }
  if (what === 'attach') return isOpen && there.parcels < 3 ? { ...there, parcels: there.parcels + 1 } : there;
  const change = (line: Line): Line => {
    const free = Math.min(quantity, line.quantity - disposed(line));
    if (what === 'remove') {
      const others = there.lines.reduce((sum, one) => sum + one.quantity, 0) - free;
      return others > 0 ? { ...line, quantity: line.quantity - free, reduced: true } : line;
    }
    // Units that the platform removed stay cancelled.
    if (what === 'add') {
      const isAddable = (isOpen || there.status === 'requested') && line.reduced !== true && line.quantity < 7;
      return isAddable ? { ...line, quantity: line.quantity + 1 } : line;
    }
    if (!isOpen) return line;
    if (what === 'found') {
      const inspected = Math.min(quantity, line.waiting);
      return { ...line, waiting: line.waiting - inspected, restocked: line.restocked + inspected };
    }
    return what in untouched ? { ...line, [what]: line[what as keyof Units] + free } : line;
  };
  return { ...there, lines: there.lines.map((line, at) => (at === index ? change(line) : line)) };
};

/** The states of a platform's return, in order: one line of each of two order lines, or two of the same. */
const lives = fc
  .tuple(
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
    fc.array(moves, { maxLength: 14, size: 'max' }),
  )
  .map(([[first, second], all]) => {
    const requested: There = {
      status: 'requested',
      lines: [
        { orderLineId: '1', quantity: first, ...untouched },
        { orderLineId: '2', quantity: second, ...untouched },
      ],
      parcels: 0,
    };
    const life = [requested];
    for (const move of all) life.push(moved(life.at(-1) ?? requested, move));
    return life;
  });

/** A life, and the states at which we fetch it. The last state is always fetched. */
const looks = lives.chain((life) =>
  fc
    .array(fc.nat({ max: life.length - 1 }), { maxLength: 6 })
    .map((at) => [...at.toSorted((a, b) => a - b), life.length - 1].flatMap((index) => life[index] ?? [])),
);

const tried = { numRuns: runs(400) };

describe('sync of a platform’s return', () => {
  test('ends in a state that a further snapshot does not change, without rejected steps', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const remote = toRemoteReturn(life.at(-1) as There);
        const { case: one } = sync(newCase(remote), remote);
        expect(sync(one, remote).steps).toEqual([]);
      }),
      tried,
    );
  });

  test('reaches the same state for any earlier snapshots', () => {
    fc.assert(
      fc.property(looks, (snapshots) => {
        const last = toRemoteReturn(snapshots.at(-1) as There);
        const [first = last] = snapshots.map(toRemoteReturn);
        const synced = snapshots.map(toRemoteReturn).reduce((one, remote) => sync(one, remote).case, newCase(first));
        expect(outcomeOf(synced)).toEqual(outcomeOf(sync(newCase(last), last).case));
      }),
      tried,
    );
  });

  test('ends with the platform’s units', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const there = life.at(-1) as There;
        const { status, lines } = outcomeOf(sync(newCase(toRemoteReturn(there)), toRemoteReturn(there)).case);
        // Uninspected goods keep our return open. An open return has a status of its own.
        const isWaiting = there.lines.some(({ waiting }) => waiting > 0);
        const isOpen = there.status === 'approved' || (there.status === 'completed' && isWaiting);
        expect(isOpen || status === there.status).toBe(true);
        for (const line of there.lines)
          expect(lines[line.orderLineId]).toMatchObject({
            received: line.restocked + line.put + line.waiting,
            accepted: line.restocked + line.put,
            restocked: line.restocked,
          });
      }),
      tried,
    );
  });

  test('distributes the units of one order line among its return lines', () => {
    const there: There = {
      status: 'approved',
      lines: [{ orderLineId: '1', quantity: 3, ...untouched, restocked: 2, waiting: 1 }],
      parcels: 0,
    };
    const remote = toRemoteReturn(there);
    const [line] = remote.lines;
    if (line === undefined) throw new Error('no line');
    const two = {
      ...remote,
      lines: [
        { ...line, quantity: 1 },
        { ...line, quantity: 2 },
      ],
    };
    const { case: one } = sync(newCase(two), two);
    expect(one.state.lines.map(({ quantities }) => quantities)).toMatchObject([
      { received: 1, accepted: 1 },
      { received: 2, accepted: 1 },
    ]);
  });

  test('identifies a parcel by its label when it has no tracking number', () => {
    const there: There = {
      status: 'approved',
      lines: [{ orderLineId: '1', quantity: 2, ...untouched }],
      parcels: 0,
    };
    const labelUrl = 'https://carrier.example/label.pdf';
    const remote = { ...toRemoteReturn(there), parcels: [{ labelUrl }] };
    const { case: one } = sync(newCase(remote), remote);
    expect(one.state.parcels).toMatchObject([{ labelUrl: { ref: labelUrl }, contents: [{ quantity: 2 }] }]);
    expect(sync(one, remote).steps).toEqual([]);
  });

  test('adds no parcel for goods that arrived before their tracking number was known', () => {
    const there: There = {
      status: 'approved',
      lines: [{ orderLineId: '1', quantity: 2, ...untouched, restocked: 2 }],
      parcels: 0,
    };
    const { case: one } = sync(newCase(toRemoteReturn(there)), toRemoteReturn(there));
    expect(sync(one, toRemoteReturn({ ...there, parcels: 1 })).steps).toEqual([]);
  });
});

describe('a return that is inspected here', () => {
  const there = (units: Partial<Units>): RemoteReturn =>
    toRemoteReturn({
      status: 'approved',
      lines: [{ orderLineId: '1', quantity: 2, ...untouched, ...units }],
      parcels: 0,
    });

  test('has no more units inspected because the platform has another word for them', () => {
    const arrived = sync(newCase(there({ waiting: 2 })), there({ waiting: 2 })).case;
    const [line] = arrived.state.lines;
    const lines = [
      { id: 'ins', lineId: line?.id ?? '', quantity: 1, outcome: 'accept', disposition: 'destroy' } as const,
    ];
    const before = run(arrived, (situation) => inspect(situation, { lines }));
    expect(sync(before, there({ waiting: 1, put: 1 })).steps).toEqual([]);
    const both = sync(before, there({ put: 2 }));
    expect(both.steps).toMatchObject([{ operation: 'inspect', input: { lines: [{ quantity: 1 }] } }]);
  });
});

describe('a return that the platform exchanges', () => {
  const there = (status: RemoteReturn['status'], exchanges?: RemoteReturn['exchanges']): RemoteReturn => ({
    ...toRemoteReturn({ status, lines: [{ orderLineId: '1', quantity: 2, ...untouched }], parcels: 0 }),
    ...(exchanges !== undefined && { exchanges }),
  });
  const items = [{ externalId: 'x-1', quantity: 1, sku: 'SHIRT-M' }, { externalId: 'x-2' }];
  const operations = (steps: ReturnType<typeof sync>['steps']) => steps.map(({ operation }) => operation);

  test('has its new items before any other step, and once', () => {
    const first = sync(newCase(there('approved', items)), there('approved', items));
    expect(operations(first.steps)).toEqual(['updateReturn', 'approve']);
    expect(first.case.state.shopExchanges).toEqual(items);
    expect(sync(first.case, there('approved', items.toReversed())).steps).toEqual([]);
    expect(sync(first.case, there('approved')).steps).toEqual([]);
  });

  test.each([
    ['removes them', there('approved', [])],
    ['calls the return off', there('cancelled', items)],
  ])('has none after the platform %s', (_, remote) => {
    const before = sync(newCase(there('approved', items)), there('approved', items)).case;
    const { steps, case: after } = sync(before, remote);
    expect(operations(steps)[0]).toBe('updateReturn');
    expect(after.state.shopExchanges).toEqual([]);
  });

  test('follows a changed item, also after its end', () => {
    const ended = sync(newCase(there('approved', items)), there('completed', items)).case;
    const [first, ...others] = items;
    const changed = [...others, { ...first, externalId: 'x-1', quantity: 2 }];
    expect(sync(ended, there('completed', changed)).case.state.shopExchanges).toEqual(changed);
  });
});

describe('a return to which the platform adds units', () => {
  const line = (orderLineId: string, quantity: number, units: Partial<Units> = {}): Line => ({
    orderLineId,
    quantity,
    ...untouched,
    ...units,
  });
  const there = (status: RemoteReturn['status'], ...lines: readonly Line[]): RemoteReturn =>
    toRemoteReturn({ status, lines, parcels: 0 });
  const operations = (steps: ReturnType<typeof sync>['steps']) => steps.map(({ operation }) => operation);

  test('has them before its decision, and after it', () => {
    const requested = sync(newCase(there('requested', line('1', 1))), there('requested', line('1', 2), line('2', 1)));
    expect(operations(requested.steps)).toEqual(['amendReturn']);
    expect(outcomeOf(requested.case).status).toBe('requested');
    const approved = sync(requested.case, there('approved', line('1', 3), line('2', 1)));
    expect(operations(approved.steps)).toEqual(['approve', 'amendReturn']);
    expect(outcomeOf(approved.case).lines).toMatchObject({ '1': { remaining: 3 }, '2': { remaining: 1 } });
  });

  test('receives them, also after its end', () => {
    const ended = sync(newCase(there('approved', line('1', 1))), there('completed', line('1', 1, { restocked: 1 })));
    expect(outcomeOf(ended.case).status).toBe('completed');
    const { steps, case: after } = sync(ended.case, there('completed', line('1', 2, { restocked: 2 })));
    expect(operations(steps)).toEqual(['reopen', 'amendReturn', 'receive', 'inspect', 'complete']);
    expect(outcomeOf(after)).toMatchObject({ status: 'completed', lines: { '1': { accepted: 2 } } });
  });

  test('has none of them once the platform calls it off, and keeps what was cancelled here', () => {
    const before = sync(newCase(there('approved', line('1', 2))), there('approved', line('1', 2))).case;
    expect(operations(sync(before, there('cancelled', line('1', 3))).steps)).toEqual(['cancel']);
    const fewer = sync(before, there('approved', line('1', 1))).case;
    expect(sync(fewer, there('approved', line('1', 2))).steps).toEqual([]);
  });
});
