import fc from 'fast-check';
import { builtInReasons } from '../../../lib/returns/rules/reasons.ts';
import type { Json, Operation } from './document.ts';
import { pastInstants, type Hint, type Values } from './values.ts';
import type { KnownEndpoint, KnownOrder, KnownPolicy, KnownReason, KnownReturn, World } from './world.ts';

type Hints = Readonly<Record<string, Values>>;

/** Text that is somebody's own, with a mark that must not come back where it has no business. */
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

/** Operations whose reason is a code and not what somebody wrote. */
const code: Hints = { '.reason': fc.constantFrom('goodwill', 'other') };
/** What is noted down of a policy is for everybody to read. */
const ofPolicy: Hints = { '.note': fc.constantFrom('as agreed', 'back to before'), '.text': fc.constant('a rule') };
/** A URL that is refused, so that no test fills up the endpoints that all share; or nobody listens there. */
const ofEndpoints: Hints = { '.url': fc.constantFrom('https://10.0.0.1/hooks', 'https://localhost/hooks') };
const codesOf: Readonly<Record<string, Hints>> = {
  grant: code,
  waiveFee: code,
  writeOffRecovery: code,
  createWebhookEndpoint: ofEndpoints,
  updateWebhookEndpoint: { '.url': fc.constant('http://127.0.0.1:9/hooks') },
  createPolicy: ofPolicy,
  saveDraft: ofPolicy,
};

const units = (min: number, max: number): Values => fc.integer({ min, max });

/** What makes sense where the schema allows far more; by the end of the place, the longest first. */
const sensible: Hints = {
  '.currency': fc.constant('EUR'),
  '.amount': units(0, 100),
  '.unitPrice.amount': units(100, 10_000),
  '.country': fc.constantFrom('DE', 'EL', 'US'),
  '.charges.amount': units(0, 50),
  '.observedAt': pastInstants,
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
  },
  exchange: { '.quantity': units(1, 2), '.credit.amount': units(0, 1) },
  recordRefundResult: { '.occurredAt': pastInstants },
  recordRefund: {
    '.occurredAt': pastInstants,
    '.amount.amount': units(500, 10_000),
    '.shipping.amount': units(0, 100),
    '.lines.amount.amount': units(1, 50),
    '.lines.tax.amount': units(0, 1),
  },
};

/** Hints for the bodies of an operation: always where to put marks, and unless `wild` what makes sense. */
export const hintFor = (operation: string, wild: boolean): Hint => {
  const hints = { ...personalHints, ...codesOf[operation], ...(wild ? {} : { ...sensible, ...sensibleOf[operation] }) };
  const names = Object.keys(hints).toSorted((a, b) => b.length - a.length);
  return (place) => hints[names.find((name) => place.endsWith(name)) ?? ''];
};

/** What a request is about: a reason, a return where the path names one or a quote is of one, else an order and a return of it. */
export type Target = {
  readonly order: KnownOrder | undefined;
  readonly known: KnownReturn | undefined;
  readonly reason?: KnownReason | undefined;
  readonly policy?: KnownPolicy | undefined;
  readonly endpoint?: KnownEndpoint | undefined;
};

export const nothing: Target = { order: undefined, known: undefined };

export const targetOf = (world: World, { id, path }: Pick<Operation, 'id' | 'path'>, dice: number): Target => {
  if (path.includes('/reasons')) return { ...nothing, reason: world.reason(dice) };
  if (path.includes('{returnId}') || path.endsWith('/quotes'))
    return { order: undefined, known: world.return(dice, id) };
  // What were published would decide for whatever other tests do here.
  if (path.includes('{policyId}')) return id === 'publish' ? nothing : { ...nothing, policy: world.policy(dice) };
  // What were deleted would be there no more for the others.
  if (path.includes('/webhook-endpoints'))
    return id === 'deleteWebhookEndpoint' ? nothing : { ...nothing, endpoint: world.endpoint(dice) };
  const order = world.order(dice);
  return { order, known: order === undefined ? undefined : world.returnOf(order) };
};

const exchangeOf = ({ exchanges: [first] }: KnownReturn) =>
  first === undefined ? {} : { exchangeId: first.exchangeId };

/** The target by the names that parameters and fields have. */
export const namesOf = ({ order, known, reason, policy, endpoint }: Target): Readonly<Record<string, string>> => ({
  ...(reason === undefined ? {} : { code: reason.code }),
  ...(order === undefined ? {} : { platform: order.platform, orderId: order.orderId }),
  ...(known === undefined ? {} : { returnId: known.returnId, ...exchangeOf(known) }),
  ...(policy === undefined ? {} : { policyId: policy.policyId, version: '1', from: '1', to: String(policy.version) }),
  ...(endpoint === undefined ? {} : { endpointId: endpoint.endpointId }),
  ...(known?.parcels[0] === undefined ? {} : { parcelId: known.parcels[0].parcelId }),
});

/** The codes that would say that the target is missing; a query may look for it before it was there. */
export const missing = (
  { order, known, policy, endpoint }: Target,
  query: Readonly<Record<string, Json>>,
): readonly string[] =>
  'asOf' in query
    ? []
    : [
        ...(order === undefined ? [] : ['order_not_found']),
        ...(known === undefined ? [] : ['return_not_found']),
        ...(policy === undefined ? [] : ['policy_not_found']),
        ...(endpoint === undefined ? [] : ['endpoint_not_found']),
      ];

type Members = { readonly [name: string]: Json };
const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each line of the return once. */
const returnLines = ({ lines }: KnownReturn, like: Members, dice: number): readonly Json[] =>
  lines.map(({ lineId, quantities }, index) => ({
    ...like,
    lineId,
    ...('quantity' in like ? { quantity: 1 + ((dice + index) % quantities.requested) } : {}),
  }));

/** A line that names one of the order, or one of the order's own told anew. */
const orderLine = (line: Json, { lines }: KnownOrder, place: number): Json => {
  const known = lines[place % lines.length]?.lineId;
  if (!isMembers(line) || known === undefined) return line;
  if ('orderLineId' in line) return { ...line, orderLineId: known };
  return 'lineId' in line && place < lines.length ? { ...line, lineId: known } : line;
};

const aimedLines = (lines: readonly Json[], { order, known }: Target, dice: number): readonly Json[] => {
  const [first] = lines;
  if (order !== undefined) return lines.map((line, index) => orderLine(line, order, (dice % 3) + index));
  return known !== undefined && isMembers(first) && 'lineId' in first ? returnLines(known, first, dice) : lines;
};

/** Unexpected items of the return, where it has any. */
const aimedItems = (items: readonly Json[], { known }: Target): readonly Json[] => {
  const [first] = items;
  const there = known?.unexpected ?? [];
  return isMembers(first) && 'id' in first && there.length > 0
    ? there.slice(0, items.length).map(({ id }) => ({ ...first, id }))
    : items;
};

/** A body that is about the target, as far as it is about an order or a return. */
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
