import type { Instant, Order } from '../../returns/model/order.ts';
import type { RefundClock, Terms } from '../../returns/model/terms.ts';
import { refundDueFrom } from '../../returns/rules/deadlines.ts';
import type { Evaluation, LimitedEvaluation, LimitedFees } from '../evaluation.ts';
import type { Facts, Right } from '../facts.ts';
import { type Claim, rightsOf } from './rights.ts';
import type { StatutoryRule } from './statutory-rules.ts';
import { refundClock } from './withdrawal-window.ts';

const shippingByGenerosity = ['none', 'statutory', 'proportional', 'full_if_whole_order'] as const;

/** Returns the shipping mode that refunds more. */
const raisedShipping = (configured: Terms['shipping'], law: StatutoryRule['shipping']): Terms['shipping'] => {
  const minimum = { none: 'none', standard: 'statutory', full: 'full_if_whole_order' } as const;
  return (
    shippingByGenerosity[
      Math.max(shippingByGenerosity.indexOf(configured), shippingByGenerosity.indexOf(minimum[law]))
    ] ?? configured
  );
};

/** Returns the shipping mode that meets the minimum of each of these rules. */
const statutoryShipping = (configured: Terms['shipping'], rules: readonly StatutoryRule[]): Terms['shipping'] =>
  rules.reduce((shipping, rule) => raisedShipping(shipping, rule.shipping), configured);

/**
 * Returns the fees that every law allows.
 *
 * @param rights the rights of all lines
 */
const allowedFees = (
  configured: Terms['floor'],
  rules: readonly StatutoryRule[],
  rights: readonly Right[],
): NonNullable<Terms['floor']>['fees'] => {
  const floors = [...(configured === null ? [] : [configured]), ...rules];
  const uninformed = new Set(rights.flatMap((right) => (right.uninformed ? [right.law] : [])));
  const waived = new Set(
    rules.flatMap(({ law, extension }) => (uninformed.has(law) ? (extension?.waivedFees ?? []) : [])),
  );
  return (['inspection', 'return_shipping', 'promotion'] as const).filter(
    (fee) => floors.every((floor) => floor.fees.includes(fee)) && !waived.has(fee),
  );
};

/** Returns the names of the floor of the deployment and of these laws. */
const lawNames = (configured: Terms['floor'], rules: readonly StatutoryRule[]): string =>
  [...(configured === null ? [] : [configured]), ...rules].map(({ law }) => law).join(', ');

/** Returns the fewest days, from the earliest start. When several rules count, all are met. */
const refundDeadline = (configured: Terms, rules: readonly StatutoryRule[]) => {
  const set = rules.flatMap(({ refund }) => (refund === null ? [] : [refund]));
  const days = [configured.deadlines.refundDueDays, ...set.map((refund) => refund.days)].filter(
    (limit) => limit !== null,
  );
  const isFromRequest = refundDueFrom(configured) === 'request' || set.some(({ from }) => from === 'request');
  return {
    refundDueDays: days.length === 0 ? null : Math.min(...days),
    refundDueFrom: isFromRequest ? 'request' : 'receipt',
  } as const;
};

const timings = ['approved', 'in_transit', 'received', 'inspected'] as const satisfies readonly Terms['refundTiming'][];

/** Returns the earlier of two stages of a refund. */
export const earlierTiming = (a: Terms['refundTiming'], b: Terms['refundTiming']): Terms['refundTiming'] =>
  timings[Math.min(timings.indexOf(a), timings.indexOf(b))] ?? a;

/**
 * Returns the time to pay by the laws of a withdrawal, from its declaration or request; undefined when none sets one.
 * When several laws apply, the shop meets all of them.
 */
const withdrawalClock = (
  rules: readonly StatutoryRule[],
  order: Order,
  { basis }: Claim,
  at: Instant,
): RefundClock | undefined =>
  basis === 'withdrawal'
    ? rules
        .flatMap((rule) => (rule.claim === 'any' ? (refundClock(rule, order, at) ?? []) : []))
        .toSorted((a, b) => (a.due < b.due ? -1 : 1))[0]
    : undefined;

/** Returns the terms that let the shop pay in the time of a law: when the goods or proof arrived, or at once. */
const withRefundClock = (terms: Terms, clock: RefundClock | undefined): Terms =>
  clock === undefined
    ? terms
    : {
        ...terms,
        refundTiming: earlierTiming(terms.refundTiming, clock.payment === 'at_once' ? 'approved' : 'in_transit'),
        deadlines: { ...terms.deadlines, refundClock: clock },
      };

/**
 * Returns the floor. A floor of the deployment protects every line. Without it, a line without a right is unprotected.
 */
const floorOf = (
  configured: Terms['floor'],
  rules: readonly StatutoryRule[],
  rights: ReadonlyMap<string, readonly Right[]>,
): Terms['floor'] => {
  const lines = [...rights].filter(([, held]) => held.length > 0).map(([orderLineId]) => orderLineId);
  return {
    law: lawNames(configured, rules),
    ...(configured === null && lines.length < rights.size ? { lines } : {}),
    fees: allowedFees(configured, rules, [...rights.values()].flat()),
    ...(rules.some(({ overridden }) => overridden) ? { overridden: true } : {}),
  };
};

/**
 * Returns the terms of a new return: those of the deployment, raised to the statutory minimum.
 * Shipping, fees and the time to pay apply to the whole return. So every rule that applies to one of its lines counts
 * for them.
 *
 * @param rules `statutoryRules`, or those of the deployment
 * @param at when the return was requested
 */
export const withStatutoryFloor = (
  rules: readonly StatutoryRule[],
  defaults: Terms,
  order: Order,
  claim: Claim,
  at: Instant,
): Terms => {
  const rights = rightsOf(rules, order, claim, at);
  const laws = new Set([...rights.values()].flatMap((held) => held.map(({ law }) => law)));
  const holding = rules.filter(({ law }) => laws.has(law));
  if (holding.length === 0) return defaults;
  // A certain right of withdrawal leaves nothing to decide.
  const isDue = [...rights.values()].every((held) =>
    held.some((right) => right.claim === 'withdrawal' && right.certain),
  );
  const terms = {
    ...defaults,
    ...(isDue ? { approval: 'auto' as const } : {}),
    floor: floorOf(defaults.floor, holding, rights),
    shipping: statutoryShipping(defaults.shipping, holding),
    deadlines: { ...defaults.deadlines, ...refundDeadline(defaults, holding) },
  };
  return withRefundClock(terms, withdrawalClock(holding, order, claim, at));
};

type Floor = NonNullable<Terms['floor']>;

/** Returns the floor that protects the lines of both. A fee is allowed only if the law of every line allows it. */
const joinFloors = (pinned: Floor, added: Floor): Floor => ({
  ...pinned,
  law: [...new Set([...pinned.law.split(', '), ...added.law.split(', ')])].join(', '),
  fees: pinned.fees.filter((fee) => added.fees.includes(fee)),
  ...(added.overridden ? { overridden: true } : {}),
});

/**
 * Returns the terms of a return to which units are added: its own, raised to the law of the added units.
 *
 * @param own the order lines of the return before
 * @param claim the added units
 * @param configured the floor of the deployment, which protects every line
 * @param at when the units are added
 */
export const raiseToLawOfAdded = (
  rules: readonly StatutoryRule[],
  { terms, own }: { readonly terms: Terms; readonly own: readonly string[] },
  { order, claim, configured }: { readonly order: Order; readonly claim: Claim; readonly configured: Terms['floor'] },
  at: Instant,
): Terms => {
  const pinned = terms.floor;
  const added = claim.lines.map(({ orderLineId }) => orderLineId);
  const deadlines = { ...terms.deadlines, refundDueFrom: refundDueFrom(terms) };
  const raised = withStatutoryFloor(rules, { ...terms, deadlines, floor: null }, order, claim, at);
  const joined = pinned === null || raised.floor === null ? (pinned ?? raised.floor) : joinFloors(pinned, raised.floor);
  if (joined === null) return terms;
  const { lines: _, ...floor } = joined;
  const lines = new Set([
    ...(pinned === null ? [] : (pinned.lines ?? own)),
    ...(raised.floor === null ? [] : (raised.floor.lines ?? added)),
  ]);
  const isWhole = configured !== null || [...own, ...added].every((orderLineId) => lines.has(orderLineId));
  return {
    ...terms,
    floor: { ...floor, ...(isWhole ? {} : { lines: [...lines] }) },
    ...(raised.floor === null ? {} : { shipping: raised.shipping, deadlines: raised.deadlines }),
  };
};

/**
 * Moves forbidden fees of an evaluation to `removedFees`, and raises its shipping to the statutory minimum.
 * The terms of a return are made from the result. The trace keeps the effect of each rule.
 *
 * @param configured the floor of the deployment
 */
export const applyStatutoryLimits = (
  evaluation: Evaluation,
  { lines }: Pick<Facts, 'lines'>,
  rules: readonly StatutoryRule[],
  configured: Terms['floor'],
): LimitedEvaluation => {
  const rights = lines.flatMap((line) => line.rights);
  const laws = new Set(rights.map(({ law }) => law));
  const holding = rules.filter(({ law }) => laws.has(law));
  if (holding.length === 0 && configured === null) return evaluation;
  const allowed: ReadonlySet<string> = new Set(allowedFees(configured, holding, rights));
  const { shipping } = evaluation.settings;
  const law = lawNames(configured, holding);
  const limited = (fees: Evaluation['fees']): LimitedFees & Pick<Evaluation, 'fees'> => {
    const set = Object.entries(fees);
    const removed = set.flatMap(([type, fee]) => (allowed.has(type) ? [] : [[type, { ...fee, law }] as const]));
    return {
      fees: Object.fromEntries(set.filter(([type]) => allowed.has(type))),
      ...(removed.length > 0 && { removedFees: Object.fromEntries(removed) }),
    };
  };
  return {
    ...evaluation,
    lines: evaluation.lines.map((line) => (line.fees === undefined ? line : { ...line, ...limited(line.fees) })),
    ...limited(evaluation.fees),
    settings: {
      ...evaluation.settings,
      ...(shipping === undefined ? {} : { shipping: statutoryShipping(shipping, holding) }),
    },
  };
};
