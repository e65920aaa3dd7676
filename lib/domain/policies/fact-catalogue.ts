import {
  conductMeasures,
  type CustomerCount,
  customerCounts,
  type Facts,
  type LineFacts,
  overAllDays,
} from './facts.ts';

/** The kinds of facts. An instant is text in RFC 3339, and texts are a list. */
export type FactKind = 'text' | 'number' | 'boolean' | 'instant' | 'texts';

type KindOf<Value> = Value extends string
  ? 'text' | 'instant'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : 'texts';

/** Requires exactly one kind for every field. */
type Kinds<Fields> = { readonly [Name in keyof Fields]-?: KindOf<NonNullable<Fields[Name]>> };

const order: Kinds<Omit<Facts['order'], 'timeZone'>> = {
  platform: 'text',
  country: 'text',
  region: 'text',
  channel: 'text',
  market: 'text',
  seller: 'text',
  saleType: 'text',
  currency: 'text',
  placedAt: 'instant',
  lastDeliveredAt: 'instant',
  completeness: 'text',
  isGift: 'boolean',
  buyerIsConsumer: 'boolean',
  isReplacement: 'boolean',
  value: 'number',
  quantityKept: 'number',
  valueKept: 'number',
};

const customer: Kinds<Facts['customer']> = {
  segment: 'text',
  lists: 'texts',
  historyComplete: 'boolean',
  externalScore: 'number',
  externalScoreSource: 'text',
  ...(Object.fromEntries(customerCounts.map((name) => [name, 'number'])) as Record<CustomerCount, 'number'>),
};

const ofReturn: Kinds<Facts['return']> = {
  basis: 'text',
  initiatedBy: 'text',
  channel: 'text',
  isGift: 'boolean',
  quantity: 'number',
  value: 'number',
  reasons: 'texts',
  skus: 'texts',
  categories: 'texts',
  bundlesWhole: 'boolean',
};

const line: Kinds<Omit<LineFacts, 'rights'>> = {
  orderLineId: 'text',
  quantity: 'number',
  unitPrice: 'number',
  value: 'number',
  sku: 'text',
  productId: 'text',
  brand: 'text',
  categories: 'texts',
  tags: 'texts',
  finalSale: 'boolean',
  withdrawalExemption: 'text',
  bundleId: 'text',
  reason: 'text',
  reasonGroup: 'text',
  fault: 'text',
  condition: 'text',
  resolution: 'text',
  hasNote: 'boolean',
  hasEvidence: 'boolean',
  delivered: 'boolean',
  deliveredAt: 'instant',
  shippedAt: 'instant',
};

const withPrefix = (
  prefix: string,
  kinds: Readonly<Record<string, FactKind>>,
): readonly (readonly [string, FactKind])[] => Object.entries(kinds).map(([name, kind]) => [`${prefix}.${name}`, kind]);

/** All facts that a condition may name, with their kinds. */
export const factKinds: ReadonlyMap<string, FactKind> = new Map<string, FactKind>([
  ['requestedAt', 'instant'],
  ...withPrefix('order', order),
  ...withPrefix('customer', customer),
  ...withPrefix('return', ofReturn),
  ...withPrefix('line', line),
]);

/** The name of a fact in conditions. */
export type FactName =
  | 'requestedAt'
  | `order.${keyof typeof order}`
  | `customer.${keyof typeof customer}`
  | `return.${keyof typeof ofReturn}`
  | `line.${keyof typeof line}`;

type RequiredFields<Fields> = {
  [Name in keyof Fields]-?: Partial<Pick<Fields, Name>> extends Pick<Fields, Name> ? never : Name;
}[keyof Fields];

const orderAlways: readonly RequiredFields<Facts['order']>[] = ['platform', 'currency', 'completeness', 'value'];
const returnAlways: readonly RequiredFields<Facts['return']>[] = [
  'initiatedBy',
  'isGift',
  'quantity',
  'value',
  'reasons',
  'skus',
];
const lineAlways: readonly RequiredFields<LineFacts>[] = [
  'orderLineId',
  'quantity',
  'value',
  'reason',
  'reasonGroup',
  'resolution',
  'hasNote',
  'hasEvidence',
];

/** The facts that every request has. A condition on only these is never unknown. */
export const alwaysKnown: ReadonlySet<string> = new Set([
  'requestedAt',
  ...orderAlways.map((name) => `order.${name}`),
  ...returnAlways.map((name) => `return.${name}`),
  ...lineAlways.map((name) => `line.${name}`),
]);

/** Returns whether a fact belongs to one line, and not to the whole return. */
export const isOfLine = (fact: string): boolean => fact.startsWith('line.');

/*
 * Facts about the conduct of a customer: counts and sums over earlier returns, and the score of another service. They
 * profile a person. So a rule that reads one may only ask for a person, and never decides on a return with a statutory
 * right (GDPR, article 22).
 */

/** The facts about conduct, by their names in conditions. */
const conductFacts: ReadonlySet<string> = new Set([
  'customer.historyComplete',
  'customer.externalScore',
  'customer.externalScoreSource',
  ...conductMeasures.flatMap(overAllDays).map((name) => `customer.${name}`),
]);

/** Returns whether a fact is about the conduct of the customer. */
export const isOfConduct = (fact: string): boolean => conductFacts.has(fact);

/**
 * Returns the facts that a trace shows next to a fact about conduct: whether it covers all returns of its days, the sums
 * of a share, and the source of a score.
 */
export const shownWith = (fact: string): readonly string[] => {
  if (fact === 'customer.externalScore') return ['customer.externalScoreSource'];
  if (!isOfConduct(fact) || fact === 'customer.externalScoreSource') return [];
  const [, days] = /returnedShare(.+)/.exec(fact) ?? [];
  const sums = days === undefined ? [] : [`customer.valueReturned${days}`, `customer.valueBought${days}`];
  return ['customer.historyComplete', ...sums];
};
