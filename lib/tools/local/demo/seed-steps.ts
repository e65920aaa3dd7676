import type { Output } from '../../../contract/contract.ts';
import type { Plan, Stage } from './seed-plans.ts';

export type Return = Output<'createReturn'>;
type Line = Return['lines'][number];

export const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** A request of the API. */
export type Request = {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
};

/** A command on a return. */
export type Step = {
  /** Whether the return has the effect of the command already: an earlier seed may have ended after it. */
  readonly isDone: (current: Return) => boolean;
  readonly request: (current: Return, plan: Plan) => Request;
};

const command = (
  path: string,
  isDone: Step['isDone'],
  bodyOf: (current: Return, plan: Plan) => object = () => ({}),
): Step => ({
  isDone,
  request: (current, plan) => ({
    method: 'POST',
    path: `/returns/${current.returnId}${path}`,
    body: bodyOf(current, plan),
  }),
});

const isIn =
  (...statuses: readonly Return['status'][]) =>
  ({ status }: Return) =>
    statuses.includes(status);

const units = (count: (line: Line) => number) => (current: Return) =>
  current.lines.map((line) => ({ lineId: line.lineId, quantity: count(line) })).filter(({ quantity }) => quantity > 0);

const outstanding = units(({ quantities: q }) => q.requested - q.rejected - q.cancelled - q.received - q.missing);
const uninspected = units(({ quantities: q }) => q.received - q.accepted - q.refused);

const hasAll = (current: Return) => outstanding(current).length === 0;
const hasSome = ({ lines }: Return) => lines.some(({ quantities }) => quantities.received > 0);
const isInspected = (current: Return) => uninspected(current).length === 0;

// The terms of the shop may have approved it.
const approve = command('/approve', (current) => !isIn('requested')(current));
const addParcel = command(
  '/parcels',
  ({ parcels }) => parcels.length > 0,
  (current, { trackingNumber }) => ({ carrier: 'ctt', trackingNumber, contents: outstanding(current) }),
);
const ship: Step = {
  isDone: ({ parcels }) => parcels[0]?.status !== 'label_created',
  request: ({ returnId, parcels }) => ({
    method: 'PATCH',
    path: `/returns/${returnId}/parcels/${parcels[0]?.parcelId}`,
    body: { status: 'in_transit' },
  }),
};
const receive = command('/receipts', hasAll, (current) => ({
  parcelId: current.parcels[0]?.parcelId,
  lines: outstanding(current),
}));
const receiveOne = command('/receipts', hasSome, (current) => ({
  lines: outstanding(current)
    .slice(0, 1)
    .map((line) => ({ ...line, quantity: 1 })),
}));
const accept = command('/inspections', isInspected, (current) => ({
  lines: uninspected(current).map((line) => ({ ...line, outcome: 'accept', disposition: 'restock', grade: 'A' })),
}));
const refuse = command('/inspections', isInspected, (current) => ({
  lines: uninspected(current).map((line) => ({
    ...line,
    outcome: 'refuse',
    disposition: 'return_to_customer',
    grade: 'D',
    note: 'Worn, with stains',
  })),
}));
const refund = command('/refunds', ({ refunds }) => refunds.length > 0);
const result = (status: 'failed' | 'submitted' | 'succeeded' | 'unknown'): Step => ({
  // `submitted` is the first result, and the others are final here.
  isDone: ({ refunds: [first] }) => first?.status === status || (status === 'submitted' && first?.status !== 'pending'),
  request: ({ returnId, refunds }) => ({
    method: 'POST',
    path: `/returns/${returnId}/refunds/${refunds[0]?.refundId}/result`,
    body: {
      status,
      ...(status === 'failed' ? { code: 'card_expired' } : { providerRef: `pay-${returnId.slice(-6)}` }),
    },
  }),
});

const sent = [approve, addParcel, ship];
const received = [...sent, receive];
const inspected = [...received, accept];
const booked = [...inspected, refund];

/** The commands that bring a new return to its stage. */
export const stepsOf: Readonly<Record<Stage, readonly Step[]>> = {
  requested: [],
  info_requested: [
    command('/request-info', isIn('info_requested'), () => ({ message: 'Please send a picture of the label.' })),
  ],
  approved: [approve],
  in_transit: sent,
  partially_received: [...sent, receiveOne],
  received,
  inspected,
  refund_pending: booked,
  refund_unknown: [...booked, result('submitted'), result('unknown')],
  refund_failed: [...booked, result('submitted'), result('failed')],
  completed: [...booked, result('submitted'), result('succeeded'), command('/complete', isIn('completed'))],
  exchanged: [
    ...inspected,
    command(
      '/exchanges',
      ({ exchanges }) => exchanges.length > 0,
      ({ lines }) => ({
        lineId: lines[0]?.lineId,
        quantity: 1,
        newItem: { sku: 'LIN-SHI-WHT-XL', quantity: 1, price: eur(6450) },
      }),
    ),
  ],
  refused: [...received, refuse],
  unexpected: [
    ...sent,
    command('/receipts', hasAll, (current) => ({
      lines: outstanding(current),
      unexpected: [{ sku: 'UMB-BLK', quantity: 1, note: 'A black umbrella' }],
    })),
  ],
  missing: [...sent, receiveOne, command('/receipts/close', hasAll, () => ({ cause: 'not_in_parcel' }))],
  rejected: [command('/reject', isIn('rejected'), () => ({ code: 'final_sale', note: 'The order says final sale' }))],
  cancelled: [approve, command('/cancel', isIn('cancelled'), () => ({ code: 'changed_mind' }))],
  expired: [approve, command('/expire', isIn('expired'))],
};
