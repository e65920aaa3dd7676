import fc from 'fast-check';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import type { Json, Operation } from './document.ts';
import { earlierInstants, type Hint, type Values } from './values.ts';
import type {
  KnownEndpoint,
  KnownOrder,
  KnownPolicy,
  KnownReason,
  KnownReturn,
  KnownWithdrawal,
  World,
} from './world.ts';

type Hints = Readonly<Record<string, Values>>;

/** Personal text with a mark that responses must not contain elsewhere. */
const personal = fc.string({ maxLength: 20, unit: 'grapheme' }).map((text) => `marker-${text}`);
const personalHints: Hints = {
  '.note': personal,
  '.source.label': personal,
  '.email': personal,
  '.customer.name': personal,
  '.message': personal,
  '.text': personal,
  '.reason': personal,
  '.floorOverride.reason': fc.constantFrom('goodwill', 'other'),
};

/** Operations whose reason is a code, and no personal text. */
const code: Hints = { '.reason': fc.constantFrom('goodwill', 'other') };
/** Notes of a policy are public. */
const ofPolicy: Hints = { '.note': fc.constantFrom('as agreed', 'back to before'), '.text': fc.constant('a rule') };
/** URLs that are rejected, or where no server listens: so no test uses up the shared limit of endpoints. */
const ofEndpoints: Hints = { '.url': fc.constantFrom('https://10.0.0.1/hooks', 'https://localhost/hooks') };
const codesOf: Readonly<Record<string, Hints>> = {
  grant: code,
  compensate: code,
  refund: code,
  waiveFee: code,
  writeOffRecovery: code,
  createWebhookEndpoint: ofEndpoints,
  updateWebhookEndpoint: { '.url': fc.constant('http://127.0.0.1:9/hooks') },
  createPolicy: ofPolicy,
  saveDraft: ofPolicy,
  declareWithdrawal: {
    '.name': personal,
    '.email': fc.constantFrom('marker@example.com', 'Marker-2@example.com'),
    '.contract': personal,
    '.lines': personal,
  },
  withdrawWithdrawal: { '.reason': fc.constant('mistake') },
};

const units = (min: number, max: number): Values => fc.integer({ min, max });

/** Sensible values where the schema allows far more, by the end of the place, the longest first. */
const sensible: Hints = {
  '.currency': fc.constant('EUR'),
  '.amount': units(0, 100),
  '.unitPrice.amount': units(100, 10_000),
  '.country': fc.constantFrom('DE', 'EL', 'US'),
  '.charges.amount': units(0, 50),
  '.observedAt': earlierInstants,
  '.declaredAt': earlierInstants,
  '.reason.code': fc.constantFrom(...builtInReasons.keys()),
  '.lines.quantity': units(1, 2),
};
const sensibleOf: Readonly<Record<string, Hints>> = {
  correct: Object.fromEntries(
    ['received', 'missing', 'accepted', 'refused'].map((name) => [`.lines.${name}`, units(-1, 1)]),
  ),
  registerOrder: {
    '.lines.quantity': units(50, 1_000),
    '.fulfilledQuantity': units(0, 50),
    '.deliveries.quantity': units(1, 2),
    // Tax lines add up to the tax.
    ...Object.fromEntries(['.taxTotal', '.tax', '.taxes.amount'].map((tax) => [`${tax}.amount`, units(0, 0)])),
  },
  exchange: { '.quantity': units(1, 2), '.credit.amount': units(0, 1) },
  recordRefundResult: { '.occurredAt': earlierInstants },
  recordRefund: {
    '.occurredAt': earlierInstants,
    '.amount.amount': units(500, 10_000),
    '.shipping.amount': units(0, 100),
    '.lines.amount.amount': units(1, 50),
    '.lines.tax.amount': units(0, 1),
  },
};

/** Returns hints for the bodies of an operation: always for marks, and unless `wild` for sensible values. */
export const hintFor = (operation: string, wild: boolean): Hint => {
  const hints = { ...personalHints, ...codesOf[operation], ...(wild ? {} : { ...sensible, ...sensibleOf[operation] }) };
  const names = Object.keys(hints).toSorted((a, b) => b.length - a.length);
  return (path) => hints[names.find((name) => path.endsWith(name)) ?? ''];
};

/** The resource of a request: a reason, the return of a path or quote, or an order with a return of it. */
export type Target = {
  readonly order: KnownOrder | undefined;
  readonly known: KnownReturn | undefined;
  readonly reason?: KnownReason | undefined;
  readonly policy?: KnownPolicy | undefined;
  readonly endpoint?: KnownEndpoint | undefined;
  readonly withdrawal?: KnownWithdrawal | undefined;
};

export const nothing: Target = { order: undefined, known: undefined };

export const targetOf = (world: World, { id, path }: Pick<Operation, 'id' | 'path'>, dice: number): Target => {
  if (path.includes('/reasons')) return { ...nothing, reason: world.reason(dice) };
  if (path.includes('{returnId}') || path.endsWith('/quotes'))
    return { order: undefined, known: world.return(dice, id) };
  // A published policy would decide for the returns of other tests.
  if (path.includes('{policyId}')) return id === 'publish' ? nothing : { ...nothing, policy: world.policy(dice) };
  // A deleted endpoint would be missing for the others.
  if (path.includes('/webhook-endpoints'))
    return id === 'deleteWebhookEndpoint' ? nothing : { ...nothing, endpoint: world.endpoint(dice) };
  if (path.includes('{withdrawalId}')) return { ...nothing, withdrawal: world.withdrawal(dice) };
  const order = world.order(dice);
  return { order, known: order === undefined ? undefined : world.returnOf(order) };
};

const exchangeOf = ({ exchanges: [first] }: KnownReturn) =>
  first === undefined ? {} : { exchangeId: first.exchangeId };

/** Returns the target by the names of parameters and fields. */
export const namesOf = ({
  order,
  known,
  reason,
  policy,
  endpoint,
  withdrawal,
}: Target): Readonly<Record<string, string>> => ({
  ...(reason === undefined ? {} : { code: reason.code }),
  ...(order === undefined ? {} : { platform: order.platform, orderId: order.orderId }),
  ...(known === undefined ? {} : { returnId: known.returnId, ...exchangeOf(known) }),
  ...(policy === undefined ? {} : { policyId: policy.policyId, version: '1', from: '1', to: String(policy.version) }),
  ...(endpoint === undefined ? {} : { endpointId: endpoint.endpointId }),
  ...(withdrawal === undefined ? {} : { withdrawalId: withdrawal.withdrawalId }),
  ...(known?.parcels[0] === undefined ? {} : { parcelId: known.parcels[0].parcelId }),
});

/** Returns the codes that would report the target as missing. A query may precede the target's creation. */
export const missing = (
  { order, known, policy, endpoint, withdrawal }: Target,
  query: Readonly<Record<string, Json>>,
): readonly string[] =>
  'asOf' in query
    ? []
    : [
        ...(order === undefined ? [] : ['order_not_found']),
        ...(known === undefined ? [] : ['return_not_found']),
        ...(policy === undefined ? [] : ['policy_not_found']),
        ...(endpoint === undefined ? [] : ['endpoint_not_found']),
        ...(withdrawal === undefined ? [] : ['withdrawal_not_found']),
      ];

type Members = { readonly [name: string]: Json };
const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns each line of the return once. */
const returnLines = ({ lines }: KnownReturn, like: Members, dice: number): readonly Json[] =>
  lines.map(({ lineId, quantities }, index) => ({
    ...like,
    lineId,
    ...('quantity' in like ? { quantity: 1 + ((dice + index) % quantities.requested) } : {}),
  }));

/** Returns a line that names one of the order, or repeats one of the order's own lines. */
const orderLine = (line: Json, { lines }: KnownOrder, index: number): Json => {
  const known = lines[index % lines.length]?.lineId;
  if (!isMembers(line) || known === undefined) return line;
  if ('orderLineId' in line) return { ...line, orderLineId: known };
  return 'lineId' in line && index < lines.length ? { ...line, lineId: known } : line;
};

const aimedLines = (lines: readonly Json[], { order, known }: Target, dice: number): readonly Json[] => {
  const [first] = lines;
  if (order !== undefined) return lines.map((line, index) => orderLine(line, order, (dice % 3) + index));
  return known !== undefined && isMembers(first) && 'lineId' in first ? returnLines(known, first, dice) : lines;
};

/** Returns unexpected items of the return, where it has any. */
const aimedItems = (items: readonly Json[], { known }: Target): readonly Json[] => {
  const [first] = items;
  const there = known?.unexpected ?? [];
  return isMembers(first) && 'id' in first && there.length > 0
    ? there.slice(0, items.length).map(({ id }) => ({ ...first, id }))
    : items;
};

/** Returns a body that refers to the target, where it refers to an order or a return. */
export const aimed = (body: Json, target: Target, dice: number): Json => {
  if (!isMembers(body)) return body;
  const { platform, orderId, returnId, parcelId } = namesOf(target);
  const line = target.known?.lines[0];
  const isOrdered = isMembers(body['order']) && platform !== undefined && orderId !== undefined;
  return {
    ...body,
    ...(isOrdered ? { order: { platform, orderId } } : {}),
    ...(typeof body['returnId'] === 'string' && returnId !== undefined ? { returnId } : {}),
    ...(typeof body['parcelId'] === 'string' && parcelId !== undefined ? { parcelId } : {}),
    ...(typeof body['lineId'] === 'string' && line !== undefined ? { lineId: line.lineId } : {}),
    ...(Array.isArray(body['lines']) ? { lines: aimedLines(body['lines'] as Json[], target, dice) } : {}),
    ...(Array.isArray(body['contents']) ? { contents: aimedLines(body['contents'] as Json[], target, dice) } : {}),
    ...(Array.isArray(body['unexpected']) ? { unexpected: aimedItems(body['unexpected'] as Json[], target) } : {}),
  };
};
