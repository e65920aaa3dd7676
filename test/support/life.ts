import type { Operation } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import type { OrderRef } from '../../lib/domain/returns/model/order.ts';
import type { Answer, Api } from './api.ts';
import { eur } from './orders.ts';

/** A request of any caller, over HTTP or otherwise. */
export type Request = {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly ifMatch?: number;
};

/** A return that gets commands. */
export type Subject = {
  readonly order: OrderRef;
  readonly returnId: string;
  /** The last known version. */
  readonly version: number;
  readonly lines: readonly { readonly lineId: string; readonly orderLineId: string }[];
};

/** One command of a life. `serial` is text that no other request has. */
type Step = (subject: Subject, serial: string) => Request;

const orderLines = ['11', '12', '13'];

/** Optional facts of an order: its seller, and the time of its delivery. */
export type MoreFacts = { readonly seller?: string; readonly deliveredAt?: string; readonly observedAt?: string };

/** The start of every life: an order with three lines of so many units. */
export const register = (
  order: OrderRef,
  quantity: number,
  { seller, deliveredAt, observedAt = '2026-11-02T00:00:00Z' }: MoreFacts = {},
): Request => ({
  operation: operations.registerOrder,
  path: { ...order },
  body: {
    number: '#1001',
    placedAt: '2026-11-01T10:00:00Z',
    currency: 'EUR',
    customer: { id: `customer-of-${order.orderId}`, email: 'marker-ada@example.com', name: 'Ada Marker' },
    lines: orderLines.map((lineId) => ({
      lineId,
      sku: `SKU-${lineId}`,
      quantity,
      unitPrice: eur(1999),
      ...(deliveredAt === undefined ? {} : { deliveries: [{ quantity, at: deliveredAt }] }),
    })),
    ...(seller === undefined ? {} : { seller }),
    observedAt,
  },
});

/** Requests a return of so many units of each line of an order. */
export const create = (order: OrderRef, quantity: number, serial: string): Request => ({
  operation: operations.createReturn,
  path: {},
  body: {
    order,
    externalRefs: [{ platform: 'web', id: serial }],
    lines: orderLines.map((orderLineId) => ({
      orderLineId,
      quantity,
      reason: { code: 'fit.too_small', note: 'marker-note: tight at the chest' },
    })),
  },
});

const command =
  (operation: Operation, body: (subject: Subject) => object = () => ({})): Step =>
  (subject) => ({ operation, path: { returnId: subject.returnId }, body: body(subject) });

const oneUnit = ({ lines }: Subject) => ({ lines: lines.slice(0, 1).map(({ lineId }) => ({ lineId, quantity: 1 })) });

/** Every command of a return in any state. The return rejects the commands that it does not allow. */
export const steps = {
  approve: command(operations.approve),
  reject: command(operations.reject, () => ({ code: 'worn', note: 'marker-note: worn' })),
  cancel: command(operations.cancel, oneUnit),
  requestInfo: command(operations.requestInfo, () => ({ message: 'marker-note: worn?' })),
  provideInfo: command(operations.provideInfo, () => ({ message: 'marker-note: no' })),
  addParcel: command(operations.addParcel),
  receive: command(operations.receive, oneUnit),
  receiveAndRefund: command(operations.receiveAndRefund),
  closeReceipt: command(operations.closeReceipt),
  inspect: command(operations.inspect, (subject) => ({
    lines: oneUnit(subject).lines.map((line) => ({ ...line, outcome: 'accept', deductionBps: 1_000 })),
  })),
  // Of another line than the one with received units.
  grant: command(operations.grant, ({ lines }) => ({
    lines: lines.slice(1, 2).map(({ lineId }) => ({ lineId, quantity: 1, of: 'missing' })),
    reason: 'goodwill',
  })),
  refund: command(operations.refund),
  addNote: command(operations.addNote, () => ({ text: 'marker-note: friendly' })),
  complete: command(operations.complete, () => ({ waive: { reason: 'marker-note: a gift' } })),
  expire: command(operations.expire),
  reopen: command(operations.reopen, () => ({ reason: 'marker-note: mistaken' })),
  updateReturn: ({ returnId, version }, serial) => ({
    operation: operations.updateReturn,
    path: { returnId },
    body: { tags: [serial.slice(0, 40)], externalRefs: [{ platform: 'web', id: serial }] },
    ifMatch: version,
  }),
  recordRefund: ({ returnId, order, lines }, serial) => ({
    operation: operations.recordRefund,
    path: { ...order, externalId: serial },
    body: {
      returnId,
      amount: eur(1),
      occurredAt: '2026-11-20T08:00:00Z',
      lines: lines.slice(0, 1).map(({ orderLineId }) => ({ orderLineId, quantity: 1, amount: eur(1) })),
    },
  }),
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof steps;

/** The usual commands of a return, in order, after its creation. */
export const lives: readonly (readonly StepName[])[] = [
  ['approve', 'updateReturn', 'recordRefund'],
  ['updateReturn', 'approve', 'cancel'],
  ['reject', 'updateReturn'],
  ['approve', 'addParcel', 'receive', 'inspect', 'refund', 'closeReceipt'],
  ['approve', 'closeReceipt', 'complete'],
  ['approve', 'addParcel', 'receiveAndRefund', 'addNote'],
  ['requestInfo', 'provideInfo', 'approve', 'receive', 'inspect', 'refund', 'addNote'],
  ['approve', 'expire', 'reopen', 'receive', 'closeReceipt', 'grant'],
];

/** Failures of a command after a concurrent write, or in a later state of the return. */
const conflicts: ReadonlySet<string> = new Set([
  'invalid_transition',
  'version_mismatch',
  'quantity_exceeds_returnable',
  'refund_exceeds_ceiling',
  'inspection_pending',
  'idempotency_key_in_progress',
  'dependency_unavailable',
]);

/** The codes of every storing operation, in addition to its own errors. */
const shared: readonly string[] = ['idempotency_key_in_progress', 'dependency_unavailable'];

/** Returns whether a command was rejected because the return has too few units. */
const isOutOfUnits = ({ code, errors }: Answer['body']): boolean =>
  code === 'invalid_request' &&
  errors.length > 0 &&
  errors.every((error) => error.code === 'maximum' && /^\/lines\/\d+\/quantity$/.test(error.path));

/** Returns whether a response is a success or a conflict, and is documented for the operation. */
export const isExpected = ({ operation }: Request, { status, body }: Answer): boolean =>
  status < 300
    ? operation.success.some((one) => one === status)
    : isOutOfUnits(body) || (conflicts.has(body.code) && [...operation.errors, ...shared].includes(body.code));

/** Returns the path of a request below the API's origin and base path. */
const pathOf = ({ operation, path }: Request): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));

/** Sends a request over HTTP. A POST has this key. */
export const send = async (service: Api, request: Request, key: string): Promise<Answer> => {
  const { operation, body, ifMatch } = request;
  const options = { key, headers: ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` } };
  switch (operation.method) {
    case 'PUT':
      return service.put(pathOf(request), body, options);
    case 'PATCH':
      return service.patch(pathOf(request), body, options);
    case 'POST':
      return service.post(pathOf(request), body, options);
    case 'GET':
      return service.get(pathOf(request), options);
    case 'DELETE':
      return service.delete(pathOf(request), options);
  }
};

/** Returns the return of a life, from the response of its creation. */
export const subjectOf = (order: OrderRef, { body }: Answer): Subject => ({
  order,
  returnId: body.returnId,
  version: body.version,
  lines: body.lines,
});
