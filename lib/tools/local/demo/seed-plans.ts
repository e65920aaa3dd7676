/*
 * Forty returns of an invented shop, in every status. A plan is data only: seed.ts carries it out by the API, as an
 * integration of a shop would.
 */

type Product = { readonly sku: string; readonly price: number; readonly title: string };

const products: readonly Product[] = [
  { sku: 'MER-CRW-CHA-M', price: 8900, title: 'Merino crew neck, charcoal, M' },
  { sku: 'LIN-SHI-WHT-L', price: 6450, title: 'Linen shirt, white, L' },
  { sku: 'DEN-SLM-32-34', price: 9900, title: 'Slim jeans, 32/34' },
  { sku: 'SNE-LOW-42', price: 12900, title: 'Low sneaker, 42' },
  { sku: 'TOT-CAN-NAT', price: 2900, title: 'Canvas tote, natural' },
  { sku: 'BEA-WOO-GRY', price: 2450, title: 'Wool beanie, grey' },
  { sku: 'RAI-JKT-NVY-S', price: 15900, title: 'Rain jacket, navy, S' },
  { sku: 'SOC-PAC-3', price: 1650, title: 'Socks, pack of three' },
];

const people = [
  'Beatriz Almeida',
  'João Ferreira',
  'Marta Oliveira',
  'Tiago Ramos',
  'Sofia Martins',
  'Lukas Weber',
  'Emma Fischer',
  'Camille Laurent',
  'Lucía Fernández',
  'Rafael Souza',
] as const;

const countries = ['PT', 'PT', 'PT', 'PT', 'PT', 'DE', 'DE', 'FR', 'ES', 'PT'] as const;

/** How far a return goes. Each step includes those that its row in `stepsOf` names. */
export const stages = [
  'requested',
  'info_requested',
  'approved',
  'in_transit',
  'partially_received',
  'received',
  'inspected',
  'refund_pending',
  'refund_unknown',
  'refund_failed',
  'completed',
  'exchanged',
  'refused',
  'unexpected',
  'missing',
  'rejected',
  'cancelled',
  'expired',
] as const;

export type Stage = (typeof stages)[number];

/** How many returns of each stage the seed makes: most of them have a next step, as in a real shop. */
const counts: Readonly<Record<Stage, number>> = {
  requested: 5,
  info_requested: 2,
  approved: 4,
  in_transit: 4,
  partially_received: 2,
  received: 4,
  inspected: 3,
  refund_pending: 2,
  refund_unknown: 1,
  refund_failed: 1,
  completed: 4,
  exchanged: 1,
  refused: 1,
  unexpected: 1,
  missing: 1,
  rejected: 2,
  cancelled: 1,
  expired: 1,
};

type Reason = { readonly code: string; readonly note?: string };

const changedMind: Reason = { code: 'preference.changed_mind' };

const reasons: readonly Reason[] = [
  { code: 'fit.too_small', note: 'Tight at the shoulders' },
  { code: 'fit.too_large' },
  changedMind,
  { code: 'description.not_as_described', note: 'The colour is darker than on the picture' },
  { code: 'fit.too_small' },
];

export type Plan = {
  readonly stage: Stage;
  readonly number: string;
  readonly customer: { readonly id: string; readonly email: string; readonly name: string };
  readonly country: string;
  readonly lines: readonly { readonly product: Product; readonly quantity: number; readonly reason: Reason }[];
  /** Days since the delivery of the order. */
  readonly deliveredDaysAgo: number;
  readonly trackingNumber: string;
};

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
};

/** The law protects customers with a defect: the shop cannot refuse or reject their goods. */
const againstCustomer: ReadonlySet<Stage> = new Set(['refused', 'rejected', 'expired']);

const planOf = (stage: Stage, index: number): Plan => {
  const name = at(people, index * 3 + 1);
  const [first = '', last = ''] = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(' ');
  const reason = againstCustomer.has(stage) ? changedMind : at(reasons, index);
  const main = { product: at(products, index * 5), quantity: 1 + (index % 3), reason };
  const second = { product: at(products, index * 5 + 3), quantity: 1, reason: changedMind };
  return {
    stage,
    number: `#${2001 + index}`,
    customer: { id: `c-${first}-${last}`, email: `${first}.${last}@example.com`, name },
    country: at(countries, index * 3 + 1),
    lines: index % 4 === 0 || stage === 'partially_received' ? [main, second] : [main],
    // A right of withdrawal of fourteen days would approve a request at once. Those that wait are older.
    deliveredDaysAgo: 20 + ((index * 7) % 9),
    trackingNumber: `RR${String(100_000_000 + index * 7919)}PT`,
  };
};

/** Returns the plans, always the same ones. */
export const seedPlans = (): readonly Plan[] =>
  stages.flatMap((stage) => Array.from({ length: counts[stage] }, () => stage)).map(planOf);
