import data from './seed.json' with { type: 'json' };

/*
 * Forty returns of an invented shop, in every status: seed.json has its products, people and reasons, and the number of
 * returns of each stage. Most of them have a next step, as in a real shop. seed.ts carries the plans out by the API.
 */

/** How far a return goes. Each stage includes the commands that its row in `commandsOf` names. */
export type Stage = keyof typeof data.stages;

type Reason = { readonly code: string; readonly note?: string };

const changedMind: Reason = { code: 'preference.changed_mind' };

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
};

/** The law protects customers with a defect: the shop cannot refuse or reject their goods. */
const againstCustomer: ReadonlySet<Stage> = new Set(['refused', 'rejected', 'expired']);

const planOf = (stage: Stage, index: number) => {
  const { name, country } = at(data.people, index * 3 + 1);
  const [first = '', last = ''] = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(' ');
  const reason: Reason = againstCustomer.has(stage) ? changedMind : at<Reason>(data.reasons, index);
  const main = { product: at(data.products, index * 5), quantity: 1 + (index % 3), reason };
  const second = { product: at(data.products, index * 5 + 3), quantity: 1, reason: changedMind };
  return {
    stage,
    number: `#${2001 + index}`,
    customer: { id: `c-${first}-${last}`, email: `${first}.${last}@example.com`, name },
    country,
    lines: index % 4 === 0 || stage === 'partially_received' ? [main, second] : [main],
    // A right of withdrawal of fourteen days would approve a request at once. Those that wait are older.
    deliveredDaysAgo: 20 + ((index * 7) % 9),
    trackingNumber: `RR${String(100_000_000 + index * 7919)}PT`,
  };
};

export type Plan = ReturnType<typeof planOf>;

/** Returns the plans, always the same ones. */
export const seedPlans = (): readonly Plan[] =>
  (Object.keys(data.stages) as Stage[])
    .flatMap((stage) => Array.from({ length: data.stages[stage] }, () => stage))
    .map(planOf);
