import type { Output } from '../../../contract/contract.ts';
import type { ApiRequest } from './call.ts';
import type { Plan, Stage } from './seed-plans.ts';

export type Return = Output<'createReturn'>;
type Line = Return['lines'][number];

export const eur = (amount: number) => ({ amount, currency: 'EUR' });

export type Command = {
  /** Whether the return has the effect of the command already: an earlier seed may have ended after it. */
  readonly isDone: (current: Return) => boolean;
  readonly request: (current: Return, plan: Plan) => ApiRequest;
};

const post = (
  path: string,
  isDone: Command['isDone'],
  bodyOf: (current: Return, plan: Plan) => object = () => ({}),
): Command => ({
  isDone,
  request: (current, plan) => ({
    method: 'POST',
    path: `/returns/${current.returnId}${path}`,
    body: bodyOf(current, plan),
  }),
});

const isIn =
  (wanted: Return['status']) =>
  ({ status }: Return) =>
    status === wanted;

const units = (count: (quantities: Line['quantities']) => number) => (current: Return) =>
  current.lines
    .map(({ lineId, quantities }) => ({ lineId, quantity: count(quantities) }))
    .filter(({ quantity }) => quantity > 0);

const outstanding = units((of) => of.requested - of.rejected - of.cancelled - of.received - of.missing);
const uninspected = units((of) => of.received - of.accepted - of.refused);

const hasAll = (current: Return) => outstanding(current).length === 0;
const hasSome = ({ lines }: Return) => lines.some(({ quantities }) => quantities.received > 0);

const inspectWith = (finding: object): Command =>
  post(
    '/inspections',
    (current) => uninspected(current).length === 0,
    (current) => ({ lines: uninspected(current).map((line) => ({ ...line, ...finding })) }),
  );

const resultIs = (status: 'failed' | 'submitted' | 'succeeded' | 'unknown'): Command => ({
  // `submitted` is the first result, and the others are final here.
  isDone: ({ refunds: [first] }) => first?.status === status || (status === 'submitted' && first?.status !== 'pending'),
  request: ({ returnId, refunds: [first] }) => ({
    method: 'POST',
    path: `/returns/${returnId}/refunds/${first?.refundId}/result`,
    body: {
      status,
      ...(status === 'failed' ? { code: 'card_expired' } : { providerRef: `pay-${returnId.slice(-6)}` }),
    },
  }),
});

// The terms of the shop may have approved it.
const approve = post('/approve', (current) => !isIn('requested')(current));
const addParcel = post(
  '/parcels',
  ({ parcels }) => parcels.length > 0,
  (current, { trackingNumber }) => ({ carrier: 'ctt', trackingNumber, contents: outstanding(current) }),
);
const ship: Command = {
  isDone: ({ parcels }) => parcels[0]?.status !== 'label_created',
  request: ({ returnId, parcels, version }) => ({
    method: 'PATCH',
    path: `/returns/${returnId}/parcels/${parcels[0]?.parcelId}`,
    body: { status: 'in_transit' },
    version,
  }),
};
const receive = post('/receipts', hasAll, (current) => ({
  parcelId: current.parcels[0]?.parcelId,
  lines: outstanding(current),
}));
const receiveOne = post('/receipts', hasSome, (current) => ({
  lines: outstanding(current)
    .slice(0, 1)
    .map((line) => ({ ...line, quantity: 1 })),
}));
const receiveUnexpected = post('/receipts', hasAll, (current) => ({
  lines: outstanding(current),
  unexpected: [{ sku: 'UMB-BLK', quantity: 1, note: 'A black umbrella' }],
}));
const exchange = post(
  '/exchanges',
  ({ exchanges }) => exchanges.length > 0,
  ({ lines }) => ({
    lineId: lines[0]?.lineId,
    quantity: 1,
    newItem: { sku: 'LIN-SHI-WHT-XL', quantity: 1, price: eur(6450) },
  }),
);
const accept = inspectWith({ outcome: 'accept', disposition: 'restock', grade: 'A' });
const worn = { outcome: 'refuse', disposition: 'return_to_customer', grade: 'D', note: 'Worn, with stains' };

const sent = [approve, addParcel, ship];
const received = [...sent, receive];
const inspected = [...received, accept];
const booked = [...inspected, post('/refunds', ({ refunds }) => refunds.length > 0)];
const submitted = [...booked, resultIs('submitted')];

/** The commands that bring a new return to its stage. */
export const commandsOf: Readonly<Record<Stage, readonly Command[]>> = {
  requested: [],
  info_requested: [
    post('/request-info', isIn('info_requested'), () => ({ message: 'Please send a picture of the label.' })),
  ],
  approved: [approve],
  in_transit: sent,
  partially_received: [...sent, receiveOne],
  received,
  inspected,
  refund_pending: booked,
  refund_unknown: [...submitted, resultIs('unknown')],
  refund_failed: [...submitted, resultIs('failed')],
  completed: [...submitted, resultIs('succeeded'), post('/complete', isIn('completed'))],
  exchanged: [...inspected, exchange],
  refused: [...received, inspectWith(worn)],
  unexpected: [...sent, receiveUnexpected],
  missing: [...sent, receiveOne, post('/receipts/close', hasAll, () => ({ cause: 'not_in_parcel' }))],
  rejected: [post('/reject', isIn('rejected'), () => ({ code: 'final_sale', note: 'The order says final sale' }))],
  cancelled: [approve, post('/cancel', isIn('cancelled'), () => ({ code: 'changed_mind' }))],
  expired: [approve, post('/expire', isIn('expired'))],
};
