import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/contract.ts';
import { type Plan, type Stage, seedPlans } from './seed-plans.ts';

type Return = Output<'createReturn'>;
type Line = Return['lines'][number];

const dayMs = 86_400_000;
const platform = 'web';
/** The returns that are made at a time. */
const concurrency = 4;

const eur = (amount: number) => ({ amount, currency: 'EUR' });

type Request = { readonly method: 'PATCH' | 'POST' | 'PUT'; readonly path: string; readonly body: object };

/** Sends one request to the Returns Service. It gives undefined for a return that an earlier seed made. */
type Send = (request: Request, version?: number) => Promise<unknown>;

const requestsTo =
  (url: string, token: string, signal: AbortSignal): Send =>
  async ({ method, path, body }, version) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    };
    const request = { method, headers, signal, body: JSON.stringify(body) };
    const response = await fetch(`${url}/v1${path}`, request);
    const text = await response.text();
    if (response.status === 409 && text.includes('"duplicate_return"')) return undefined;
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };

/** The order of a plan, delivered on its day. The customer returns all units of a line but one. */
const factsOf = (plan: Plan, now: number) => ({
  number: plan.number,
  placedAt: new Date(now - (plan.deliveredDaysAgo + 3) * dayMs).toISOString(),
  currency: 'EUR',
  country: plan.country,
  customer: plan.customer,
  lines: plan.lines.map(({ product, quantity }, index) => ({
    lineId: String(index + 1),
    sku: product.sku,
    title: product.title,
    quantity: quantity + 1,
    unitPrice: eur(product.price),
    taxTotal: eur(Math.round(((quantity + 1) * product.price * 23) / 123)),
    taxIncluded: true,
    deliveries: [{ quantity: quantity + 1, at: new Date(now - plan.deliveredDaysAgo * dayMs).toISOString() }],
  })),
  observedAt: new Date(now).toISOString(),
});

/** A command on a return, made from the return before it. */
type Step = (current: Return, plan: Plan) => Request;

const command =
  (path: string, bodyOf: (current: Return, plan: Plan) => object = () => ({})): Step =>
  (current, plan) => ({
    method: 'POST',
    path: `/returns/${current.returnId}${path}`,
    body: bodyOf(current, plan),
  });

const units = (count: (line: Line) => number) => (current: Return) =>
  current.lines.map((line) => ({ lineId: line.lineId, quantity: count(line) })).filter(({ quantity }) => quantity > 0);

const outstanding = units(({ quantities: q }) => q.requested - q.rejected - q.cancelled - q.received - q.missing);
const uninspected = units(({ quantities: q }) => q.received - q.accepted - q.refused);

const approve = command('/approve');
const addParcel = command('/parcels', (current, { trackingNumber }) => ({
  carrier: 'ctt',
  trackingNumber,
  contents: outstanding(current),
}));
const ship: Step = ({ returnId, parcels }) => ({
  method: 'PATCH',
  path: `/returns/${returnId}/parcels/${parcels[0]?.parcelId}`,
  body: { status: 'in_transit' },
});
const receive = command('/receipts', (current) => ({
  parcelId: current.parcels[0]?.parcelId,
  lines: outstanding(current),
}));
const receiveOne = command('/receipts', (current) => ({
  lines: outstanding(current)
    .slice(0, 1)
    .map((line) => ({ ...line, quantity: 1 })),
}));
const accept = command('/inspections', (current) => ({
  lines: uninspected(current).map((line) => ({ ...line, outcome: 'accept', disposition: 'restock', grade: 'A' })),
}));
const refuse = command('/inspections', (current) => ({
  lines: uninspected(current).map((line) => ({
    ...line,
    outcome: 'refuse',
    disposition: 'return_to_customer',
    grade: 'D',
    note: 'Worn, with stains',
  })),
}));
const refund = command('/refunds');
const result =
  (status: string): Step =>
  ({ returnId, refunds }) => ({
    method: 'POST',
    path: `/returns/${returnId}/refunds/${refunds[0]?.refundId}/result`,
    body: {
      status,
      ...(status === 'failed' ? { code: 'card_expired' } : { providerRef: `pay-${returnId.slice(-6)}` }),
    },
  });

const sent = [approve, addParcel, ship];
const received = [...sent, receive];
const inspected = [...received, accept];
const booked = [...inspected, refund];

/** The commands that bring a new return to its stage. */
const stepsOf: Readonly<Record<Stage, readonly Step[]>> = {
  requested: [],
  info_requested: [command('/request-info', () => ({ message: 'Please send a picture of the label.' }))],
  approved: [approve],
  in_transit: sent,
  partially_received: [...sent, receiveOne],
  received,
  inspected,
  refund_pending: booked,
  refund_unknown: [...booked, result('submitted'), result('unknown')],
  refund_failed: [...booked, result('submitted'), result('failed')],
  completed: [...booked, result('submitted'), result('succeeded'), command('/complete')],
  exchanged: [
    ...inspected,
    command('/exchanges', ({ lines }) => ({
      lineId: lines[0]?.lineId,
      quantity: 1,
      newItem: { sku: 'LIN-SHI-WHT-XL', quantity: 1, price: eur(6450) },
    })),
  ],
  refused: [...received, refuse],
  unexpected: [
    ...sent,
    command('/receipts', (current) => ({
      lines: outstanding(current),
      unexpected: [{ sku: 'UMB-BLK', quantity: 1, note: 'A black umbrella' }],
    })),
  ],
  missing: [...sent, receiveOne, command('/receipts/close', () => ({ cause: 'not_in_parcel' }))],
  rejected: [command('/reject', () => ({ code: 'final_sale', note: 'The order says final sale' }))],
  cancelled: [approve, command('/cancel', () => ({ code: 'changed_mind' }))],
  expired: [approve, command('/expire')],
};

const create = async (send: Send, plan: Plan, now: number): Promise<Return | undefined> => {
  const orderId = `seed-${plan.number.slice(1)}`;
  await send({ method: 'PUT', path: `/orders/${platform}/${orderId}`, body: factsOf(plan, now) });
  const lines = plan.lines.map(({ quantity, reason }, index) => ({
    orderLineId: String(index + 1),
    quantity,
    reason,
  }));
  const externalRefs = [{ platform, id: orderId }];
  const body = { order: { platform, orderId }, lines, externalRefs, initiatedBy: 'customer', channel: 'web' };
  return (await send({ method: 'POST', path: '/returns', body })) as Return | undefined;
};

const carryOut = async (send: Send, plan: Plan, now: number): Promise<void> => {
  const created = await create(send, plan, now);
  if (created === undefined) return;
  let current = created;
  // The terms of the shop may have approved it.
  const steps = stepsOf[plan.stage].filter((step) => step !== approve || current.status === 'requested');
  for (const step of steps) {
    const request = step(current, plan);
    current = (await send(request, request.method === 'PATCH' ? current.version : undefined)) as Return;
  }
};

/**
 * Makes forty returns of an invented shop in the standalone mode, in every status.
 *
 * @param now epoch milliseconds
 * @returns the number of returns
 * @throws Error for the first refused request
 */
export const seed = async (url: string, token: string, now: number, signal: AbortSignal): Promise<number> => {
  const send = requestsTo(url, token, signal);
  const plans = seedPlans();
  const rest = [...plans];
  const work = async () => {
    for (let plan = rest.shift(); plan !== undefined; plan = rest.shift()) await carryOut(send, plan, now);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return plans.length;
};
