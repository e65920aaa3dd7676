import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../lib/contract/port.ts';
import { user as exampleUser } from '../../lib/contract/example-story.ts';
import * as operations from '../../lib/contract/operations.ts';
import { startMeter } from '../support/meter.ts';
import { commandUnits } from '../support/command-units.ts';
import { putUser } from '../support/known-user.ts';
import { announcementOf } from '../support/attachments.ts';
import { backendCall } from '../support/backend-call.ts';
import { useEngine } from '../support/use-engine.ts';
import { create, lives, register, steps, type MoreFacts } from '../support/life.ts';
import { executeRequest, liveThrough, type LivedStep } from '../support/life-of-backend.ts';
import { eur } from '../support/orders.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { sample } from '../support/samples.ts';
import * as backend from '../../lib/edge/backend/standalone.ts';

afterEach(() => vi.unstubAllEnvs());

const of =
  (operation: (typeof operations)[keyof typeof operations], path: Record<string, string | undefined>, body: object) =>
  ({ returnId }: { returnId: string }) => ({ operation, path: { returnId, ...path } as Record<string, string>, body });

const firstLine: (lived: Parameters<LivedStep>[0]) => string = ({ lines }) => lines[0]?.lineId ?? '';

/** The commands that the usual lives do not include. */
const seldom = {
  updateParcel: (lived) => ({
    ...of(operations.updateParcel, { parcelId: lived.parcels[0]?.parcelId }, { status: 'in_transit' })(lived),
    ifMatch: lived.version,
  }),
  amendReturn: (lived) => {
    const raise = [{ lineId: firstLine(lived), quantity: 1 }];
    const add = [{ orderLineId: '12', quantity: 1, reason: { code: 'fit.too_small', note: 'marker-note: both' } }];
    return of(operations.amendReturn, {}, { add, raise })(lived);
  },
  exchange: (lived) => {
    const newItem = { sku: 'SHIRT-L', quantity: 1, price: eur(1999) };
    return of(operations.exchange, {}, { lineId: firstLine(lived), quantity: 1, newItem })(lived);
  },
  exchangeResult: (lived) =>
    of(operations.exchangeResult, { exchangeId: lived.exchanges[0]?.exchangeId }, { status: 'ordered' })(lived),
  recordRefundResult: (lived) =>
    of(operations.recordRefundResult, { refundId: lived.refunds[0]?.refundId }, { status: 'submitted' })(lived),
  paidRefund: of(operations.refund, {}, { result: { status: 'succeeded', providerRef: 'pay-1' } }),
  compensate: (lived) => {
    const lineId = firstLine(lived);
    return of(
      operations.compensate,
      {},
      { type: 'price_reduction', lineId, amount: eur(100), reason: 'goodwill' },
    )(lived);
  },
  remindRefund: of(operations.remindRefund, {}, {}),
  waiveFee: of(operations.waiveFee, { type: 'return_shipping' }, { reason: 'goodwill' }),
  correct: (lived) => {
    const lines = [{ lineId: firstLine(lived), received: 1, accepted: 1 }];
    return of(operations.correct, {}, { reason: 'marker: it came', lines })(lived);
  },
  addAttachment: of(operations.addAttachment, {}, announcementOf(Buffer.from('a picture'))),
  assignReturn: of(operations.assignReturn, {}, { userId: exampleUser.userId }),
  overpay: ({ returnId, order }, serial) => ({
    operation: operations.recordRefund,
    path: { ...order, externalId: serial },
    body: {
      returnId,
      amount: eur(2000),
      occurredAt: '2026-11-20T08:00:00Z',
      lines: [{ orderLineId: '11', quantity: 1 }],
    },
  }),
  recordRecovery: of(operations.recordRecovery, {}, { amount: eur(400) }),
  putReason: () => ({ operation: operations.putReason, path: { code: ownCode() }, body: reasonFacts, ifMatch: 0 }),
  registerAgain: ({ order }) =>
    register(order, 3, { deliveredAt: '2026-11-05T10:00:00Z', observedAt: '2026-11-06T00:00:00Z' }),
  writeOffRecovery: of(operations.writeOffRecovery, {}, { reason: 'goodwill' }),
} as const satisfies Readonly<Record<string, LivedStep>>;

const all = { ...steps, ...seldom };

type Units = { readonly write: number; readonly read: number };

type Setting = {
  readonly terms: object;
  /** The rules of a policy for the orders. */
  readonly policy?: readonly object[];
  readonly facts?: MoreFacts;
  readonly led: readonly (readonly (keyof typeof all)[])[];
  /** The limits of commands that need more than others. */
  readonly more?: Readonly<Record<string, Units>>;
};

const settings: readonly Setting[] = [
  {
    terms: {},
    led: [
      ...lives,
      ['approve', 'addParcel', 'updateParcel', 'receive', 'inspect', 'refund', 'recordRefundResult', 'addNote'],
      ['approve', 'exchange', 'exchangeResult'],
      ['approve', 'compensate'],
      ['approve', 'correct', 'addAttachment', 'assignReturn'],
      ['putReason'],
      ['amendReturn'],
      ['approve', 'amendReturn'],
    ],
  },
  {
    terms: {},
    led: [['approve', 'receive', 'inspect', 'paidRefund']],
    // It has two entries: the booking and the result.
    more: { refund: { write: 17, read: 4 } },
  },
  {
    terms: {},
    led: [['overpay', 'reject', 'recordRecovery', 'writeOffRecovery']],
    // The return ends with work left: it moves to another partition of byStatus.
    more: { reject: { write: 17, read: 4 } },
  },
  { terms: { fees: { returnShipping: 490 } }, led: [['approve', 'waiveFee']] },
  {
    // All deadlines are set, because commands also move the return in their index.
    terms: { deadlines: { shipByDays: 14, answerByDays: 7, inspectByDays: 7, refundDueDays: 14 } },
    led: [...sample(lives, 6), ['approve', 'receive', 'inspect', 'closeReceipt', 'complete']],
    // These commands may write a text, the ledger, the status and a deadline at once.
    more: { reopen: { write: 17, read: 4 }, complete: { write: 17, read: 4 } },
  },
  { terms: { deadlines: { refundDueDays: 2 } }, led: [['approve', 'receive', 'remindRefund']] },
  {
    // Stores the decision with the return, and another one at a re-evaluation.
    terms: {},
    policy: [{ id: 'all', phase: 'approval', text: 'A person reviews it.', approval: 'manual' }],
    led: [[], ['reject', 'reopen'], ['registerAgain'], ['amendReturn']],
    // registerOrder reads and writes one decision for each waiting return. amendReturn writes one for the added units.
    more: {
      registerOrder: { write: 19, read: 7 },
      reopen: { write: 18, read: 4 },
      amendReturn: { write: 18, read: 4 },
    },
  },
  {
    // Approves the request in the write of the return.
    terms: {},
    policy: [{ id: 'all', phase: 'approval', text: 'It needs no review.', approval: 'auto' }],
    facts: { deliveredAt: '2026-11-05T10:00:00Z' },
    led: [[]],
  },
];

/** Puts a policy in force for the orders of a seller. */
const decideBy = async (backend: Backend, rules: readonly object[], seller: string) => {
  const document = { selectors: { sellers: [seller] }, rules };
  const created = await backend.createPolicy({ name: 'All', document }, backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  const { policyId } = created.value.body;
  const published = await backend.publish({ policyId }, backendCall());
  if (!published.ok) throw new Error(published.failure.code);
  // The container reads a version once.
  const order = { platform: 'web', orderId: randomUUID() };
  await executeRequest(backend, register(order, 3, { seller }), backendCall());
  await executeRequest(backend, create(order, 2, randomUUID()), backendCall());
};

/** `receiveAndRefund` stores the entries of three commands. */
const writeLimits: Readonly<Record<string, number>> = {
  createReturn: commandUnits.creationWrite,
  receiveAndRefund: commandUnits.visitWrite,
};

/** Returns the limit of a command on a return of three lines. */
const limitOf = (name: string, more: Setting['more']): Units =>
  more?.[name] ?? {
    write: writeLimits[name] ?? commandUnits.write,
    read: commandUnits.read,
  };

describe('write and read capacity', () => {
  it('is at most 16 write units and 4 read units for a command on a return of three lines', async () => {
    await using held = new AsyncDisposableStack();
    // The test has its own stack, because the reasons of the shop are one item.
    const { info, close } = await startOwnStack({ modes: [] });
    held.defer(close);
    await putUser(info);
    const meter = await startMeter(info.aws.dynamodb);
    held.defer(meter.close);
    vi.stubEnv('EVIDENCE_BUCKET', randomUUID());
    const over: string[] = [];
    const met = new Set<string>();
    for (const { terms, policy, facts, led, more } of settings) {
      vi.stubEnv('RETURN_TERMS', JSON.stringify(terms));
      useEngine(meter.origin);
      vi.stubEnv('TABLE_NAME', info.aws.tables['standalone.Table'] ?? '');
      const seller = randomUUID();
      if (policy !== undefined) await decideBy(backend, policy, seller);
      meter.take();
      for (const life of led) {
        const lifeSteps = life.map((name) => all[name]);
        for await (const { request } of liveThrough(backend, lifeSteps, { ...facts, seller })) {
          const { name } = request.operation;
          const { write, read } = meter.take();
          const limit = limitOf(name, more);
          met.add(name);
          if (write > limit.write || read > limit.read) over.push(`${name} of ${life.join(', ')}: ${write}, ${read}`);
        }
      }
    }
    expect(over).toEqual([]);
    // Excludes policies, which change seldom and are large, jobs, which take many requests, and operations without a
    // return. Write-back changes one or two small items. Withdrawals have limits of their own (withdrawals.test.ts).
    // An import happens once, and has the entries of a whole return.
    const others =
      /^\/(policies|jobs|exports|erasures|bulk-commands|imports|inbox|dead-letters|webhook-endpoints|withdrawals|write-back)/;
    const storing = new Set(['returns:write', 'returns:admin']);
    const writing = Object.values(operations).filter(
      ({ scope, path, method }) => method !== 'GET' && storing.has(scope ?? '') && !others.test(path),
    );
    expect([...met].toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
  });
});
