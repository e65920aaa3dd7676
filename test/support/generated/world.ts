import type { Json } from './document.ts';
import { queryOf } from './request-faults.ts';
import type { Answer, Request } from './request.ts';

export type KnownOrder = {
  readonly platform: string;
  readonly orderId: string;
  readonly lines: readonly { readonly lineId: string }[];
};

export type KnownReturn = {
  readonly returnId: string;
  readonly version: number;
  readonly status: string;
  readonly order: { readonly platform: string; readonly orderId: string };
  readonly lines: readonly { readonly lineId: string; readonly quantities: { readonly requested: number } }[];
  readonly parcels: readonly { readonly parcelId: string }[];
  readonly unexpected: readonly { readonly id: string }[];
  readonly allowedActions?: readonly { readonly action: string; readonly allowed: boolean }[];
  readonly exchanges: readonly { readonly exchangeId: string }[];
};

/** A reason that a generated request created. Tests do not touch the reasons of others. */
export type KnownReason = { readonly code: string; readonly version: number };
/** A version of a policy. */
export type KnownPolicy = { readonly policyId: string; readonly version: number; readonly revision: number };

/** A webhook endpoint. */
export type KnownEndpoint = { readonly endpointId: string; readonly version: number };

/** A declaration of withdrawal. */
export type KnownWithdrawal = { readonly withdrawalId: string; readonly version: number };

type Page = { readonly request: Request; readonly cursor: string };

const maximum = 200;

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Creates a list of the last things of a kind, oldest first. */
const shelf = <Thing>() => {
  const things: Thing[] = [];
  return {
    add: (thing: Thing) => {
      things.push(thing);
      if (things.length > maximum) things.shift();
    },
    pick: (dice: number): Thing | undefined => things[dice % Math.max(1, things.length)],
  };
};

/**
 * Creates a register of existing resources, which it learns from responses. Requests for real resources reach more code
 * than requests for missing ones. The store may contain other data.
 */
export const openWorld = () => {
  const orders = new Map<string, KnownOrder>();
  const returns = new Map<string, KnownReturn>();
  const reasons = new Map<string, KnownReason>();
  const policies = new Map<string, KnownPolicy>();
  const endpoints = new Map<string, KnownEndpoint>();
  const withdrawals = new Map<string, KnownWithdrawal>();
  const shelves = {
    pages: new Map<string, ReturnType<typeof shelf<Page>>>(),
    keyed: new Map<string, ReturnType<typeof shelf<Request>>>(),
  };
  const shelfOf = <Thing>(map: Map<string, ReturnType<typeof shelf<Thing>>>, operationKey: string) => {
    const found = map.get(operationKey) ?? shelf<Thing>();
    map.set(operationKey, found);
    return found;
  };
  const inStatus = (statuses: readonly string[]) =>
    [...returns.values()].filter(({ status }) => statuses.includes(status));

  const taking = (command: string) =>
    [...returns.values()].filter(({ allowedActions = [] }) =>
      allowedActions.some(({ action, allowed }) => action === command && allowed),
    );

  const learnReason = ({ operation }: Request, value: unknown): void => {
    if (operation.id === 'putReason' && isObject(value)) {
      const reason = value as unknown as KnownReason;
      reasons.set(reason.code, reason);
    }
  };

  const learnResource = (value: unknown): void => {
    if (isObject(value) && typeof value['policyId'] === 'string' && isObject(value['document'])) {
      policies.set(value['policyId'], value as unknown as KnownPolicy);
    }
    if (!isObject(value)) return;
    // An intent names its withdrawal, and has a version of its own.
    if (typeof value['intentId'] === 'string') return;
    // A delivery of an endpoint also has its event.
    if (typeof value['endpointId'] === 'string' && typeof value['version'] === 'number')
      endpoints.set(value['endpointId'], value as unknown as KnownEndpoint);
    if (typeof value['withdrawalId'] === 'string' && typeof value['version'] === 'number')
      withdrawals.set(value['withdrawalId'], value as unknown as KnownWithdrawal);
    if (!Array.isArray(value['lines'])) return;
    if (typeof value['id'] === 'string' && value['id'].startsWith('ord_')) {
      const order = value as unknown as KnownOrder;
      orders.set(`${order.platform} ${order.orderId}`, order);
    } else if (typeof value['returnId'] === 'string' && Array.isArray(value['parcels']))
      returns.set(value['returnId'], value as unknown as KnownReturn);
  };

  return {
    learnResource,
    order: (dice: number): KnownOrder | undefined => [...orders.values()][dice % Math.max(1, orders.size)],
    reason: (dice: number): KnownReason | undefined => [...reasons.values()][dice % Math.max(1, reasons.size)],
    /** Returns a return, mostly one that allows the command, if the operation is one. */
    return: (dice: number, operation: string): KnownReturn | undefined => {
      const willing = dice % 10 < 7 ? taking(operation) : [];
      const among = willing.length > 0 ? willing : [...returns.values()];
      return among[dice % Math.max(1, among.length)];
    },
    returnOf: ({ platform, orderId }: KnownOrder): KnownReturn | undefined =>
      [...returns.values()].find(({ order }) => order.platform === platform && order.orderId === orderId),
    policy: (dice: number): KnownPolicy | undefined => [...policies.values()][dice % Math.max(1, policies.size)],
    endpoint: (dice: number): KnownEndpoint | undefined => [...endpoints.values()][dice % Math.max(1, endpoints.size)],
    withdrawal: (dice: number): KnownWithdrawal | undefined =>
      [...withdrawals.values()][dice % Math.max(1, withdrawals.size)],
    /** Returns the number of returns that wait for a decision. */
    waiting: () => inStatus(['requested']).length,
    page: (operationKey: string, dice: number) => shelfOf(shelves.pages, operationKey).pick(dice),
    keyed: (operationKey: string, dice: number) => shelfOf(shelves.keyed, operationKey).pick(dice),
    /** Learns from a response. A place is an operation of one mode: cursors and keys are useless elsewhere. */
    learn: (operationKey: string, request: Request, { status, text }: Answer): void => {
      if (status >= 300 || queryOf(request).get('dryRun') === 'true') return;
      const body = parse(text);
      learnResource(body);
      learnReason(request, body);
      if (isObject(body) && typeof body['nextCursor'] === 'string') {
        shelfOf(shelves.pages, operationKey).add({ request, cursor: body['nextCursor'] });
      }
      if ('idempotency-key' in request.headers) shelfOf(shelves.keyed, operationKey).add(request);
    },
  };
};

export type World = ReturnType<typeof openWorld>;
