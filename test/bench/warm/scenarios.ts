import type { Mode } from '../../../lib/deploy/functions/function-row.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { bareRequest, connectedAlternatives, ours, alternative, type Candidate } from '../candidates.ts';
import type { EventText } from '../container.ts';
import { eventOf } from '../requests.ts';

/** One event and the candidates that must answer it alike. */
export type Scenario = {
  readonly title: string;
  readonly mode: Mode;
  readonly event: EventText;
  readonly status: number;
  /** Returns the part of a body that is the same for all candidates. */
  readonly visible: (body: unknown) => unknown;
  /** The baseline is first. */
  readonly candidates: readonly Candidate[];
};

const orderRef = { platform: 'shopify', orderId: '5123456789012' };
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** More units of each line than a run uses. */
const quantity = 100_000;

export const registerOrder = eventOf(operations.registerOrder, {
  path: orderRef,
  body: {
    number: '#1001',
    placedAt: '2026-11-01T10:00:00Z',
    currency: 'EUR',
    country: 'DE',
    customer: { id: '7012345678901', email: 'ada@example.com', name: 'Ada Example' },
    lines: [
      { lineId: '11', sku: 'SHIRT-M', quantity, unitPrice: eur(1999), taxTotal: eur(31_916_807), taxIncluded: true },
      { lineId: '12', sku: 'HAT', quantity, unitPrice: eur(2500), discountTotal: eur(50_000_000) },
      { lineId: '13', sku: 'SOCKS', quantity, unitPrice: eur(700) },
    ],
    observedAt: '2026-11-02T00:00:00Z',
  },
});

export const createReturn = eventOf(operations.createReturn, {
  body: {
    order: orderRef,
    lines: [
      { orderLineId: '11', quantity: 1, reason: { code: 'fit.too_small', note: 'Too tight at the shoulders.' } },
      { orderLineId: '12', quantity: 1, reason: { code: 'preference.changed_mind' } },
    ],
  },
});

export const getReturn = (returnId: string) => eventOf(operations.getReturn, { path: { returnId } });

type Created = {
  readonly status: string;
  readonly order: { readonly platform: string; readonly orderId: string };
  readonly lines: readonly {
    readonly orderLineId: string;
    readonly quantities: { readonly requested: number };
    readonly reason: { readonly code: string };
  }[];
};

const asRequested = (body: unknown) => {
  const { status, order, lines } = body as Created;
  return {
    status,
    order: { platform: order.platform, orderId: order.orderId },
    lines: lines.map((line) => [line.orderLineId, line.quantities.requested, line.reason.code]),
  };
};

const whole = (body: unknown) => body;

const connected = (operation: string): readonly Candidate[] => [
  bareRequest(operation),
  ours('connected', operation),
  ...connectedAlternatives(operation),
];

const standalone = (operation: string): readonly Candidate[] => [
  alternative('bare-item', operation, 'bare'),
  ours('standalone', operation),
];

/** Returns the scenarios of the bench `warm`, for the return to read. */
export const scenariosOf = (returnId: string): readonly Scenario[] => [
  {
    title: 'connected getReturn',
    mode: 'connected',
    event: getReturn(returnId),
    status: 200,
    visible: whole,
    candidates: connected('getReturn'),
  },
  {
    title: 'connected createReturn',
    mode: 'connected',
    event: createReturn,
    status: 201,
    visible: whole,
    candidates: connected('createReturn'),
  },
  {
    title: 'standalone getReturn',
    mode: 'standalone',
    event: getReturn(returnId),
    status: 200,
    visible: whole,
    candidates: standalone('getReturn'),
  },
  {
    title: 'standalone createReturn',
    mode: 'standalone',
    event: createReturn,
    status: 201,
    // Each candidate has ids and times of its own, and the bare one knows no prices.
    visible: asRequested,
    candidates: standalone('createReturn'),
  },
];
