import type { StatutoryRule } from '../../policies/law/statutory-rules.ts';
import { type WithdrawalWindow, withdrawalWindows } from '../../policies/law/withdrawal-window.ts';
import { isSame } from '../../returns/history/canonical-json.ts';
import type { Instant, Order, OrderLine } from '../../returns/model/order.ts';
import { kept, type LineUnits, returnable, shipped, shippedAnyway, unshipped } from '../../returns/money/line-units.ts';
import { type Ledger } from '../../returns/money/order-ledger.ts';
import type { Cancellation, WithdrawalEvent } from '../history/entry.ts';
import type { DeniedLine, Match, MatchRest, Withdrawal } from '../model/withdrawal.ts';

/**
 * What a declared withdrawal means for the units of an order. Units that are in a return already, or refunded without
 * one, are in no list: nothing is left to do for them.
 */
export type MatchEffect = {
  /** Units that are not shipped. The shop cancels them. */
  readonly cancelled: readonly LineUnits[];
  /** Shipped units. They become a return. */
  readonly returned: readonly LineUnits[];
  /** Units without a right, with the rule that ended or excludes it. */
  readonly denied: readonly DeniedLine[];
  /** Units that staff decides on: no known law applies, or no return could be made of them. */
  readonly undecided: readonly LineUnits[];
};

const answerByRule = (withdrawalId: string, { law, rule, source }: DeniedLine): WithdrawalEvent => ({
  type: 'withdrawal.answered',
  data: { withdrawalId, answer: 'no_right', ...(law !== undefined && { law }), rule, source },
});

/** Whether a match has nothing to cancel, to return or to decide, because a rule denies all of it. */
const isAllDenied = ({ cancelled, returned, denied: deniedLines, undecided }: MatchEffect): boolean =>
  deniedLines.length > 0 && cancelled.length + returned.length + undecided.length === 0;

/** Returns what a match does not carry out, as its event has it. */
const restOf = ({ denied: deniedLines, undecided }: Pick<MatchEffect, 'denied' | 'undecided'>): MatchRest => ({
  ...(deniedLines.length > 0 && { denied: deniedLines }),
  ...(undecided.length > 0 && { undecided }),
});

/** Whether a withdrawal is already matched in the same way, so that a repeat of the match has no event. */
export const isSameMatch = ({ match }: Pick<Withdrawal, 'match'>, matched: Match, effect: MatchEffect): boolean => {
  if (match === undefined || effect.cancelled.length + effect.returned.length > 0) return false;
  const { at: _, ...before } = match;
  return isSame(before, { ...matched, ...restOf(effect) });
};

/** The return that a match makes. */
type CreatedReturn = { readonly returnId: string } | undefined;

/**
 * Returns the events of a match and its effect. A declaration that no law supports is answered by the rule at once.
 *
 * @param cancellation what the shop must know to cancel held units
 */
export const eventsOfMatch = (
  withdrawalId: string,
  matched: Match,
  effect: MatchEffect,
  created: CreatedReturn,
  cancellation: Pick<Cancellation, 'wholeOrder' | 'refundDueBy'>,
): readonly WithdrawalEvent[] => {
  const { cancelled, returned } = effect;
  const [first] = effect.denied;
  return [
    { type: 'withdrawal.matched', data: { withdrawalId, ...matched, ...restOf(effect) } },
    ...(cancelled.length === 0
      ? []
      : [
          {
            type: 'withdrawal.cancellation_due' as const,
            data: { withdrawalId, order: matched.order, lines: cancelled, ...cancellation },
          },
        ]),
    ...(created === undefined
      ? []
      : [
          {
            type: 'withdrawal.return_created' as const,
            data: { withdrawalId, returnId: created.returnId, lines: returned },
          },
        ]),
    ...(first !== undefined && isAllDenied(effect) ? [answerByRule(withdrawalId, first)] : []),
  ];
};

const noEffect: MatchEffect = { cancelled: [], returned: [], denied: [], undecided: [] };

const denied = ({ right, law, source, until, exemption }: WithdrawalWindow, units: LineUnits): DeniedLine => ({
  ...units,
  ...(law !== undefined && { law }),
  rule: right === 'exempt' ? (exemption?.code ?? 'exempt') : 'period_ended',
  source: source ?? '',
  ...(right === 'ended' && until !== null && { until }),
});

/** Divides the units of a line. Units that are not shipped come first, because the consumer sends none of them back. */
const effectOnLine = (
  ledger: Ledger,
  line: OrderLine,
  wanted: number,
  window: WithdrawalWindow | undefined,
): MatchEffect => {
  const orderLineId = line.lineId;
  const cancelled = Math.min(wanted, unshipped(ledger, line));
  const returned = Math.min(wanted - cancelled, returnable(ledger, line, shipped));
  const free = { orderLineId, quantity: cancelled + returned };
  if (free.quantity === 0) return noEffect;
  if (window === undefined || window.right === 'none') return { ...noEffect, undecided: [free] };
  if (window.right !== 'open') return { ...noEffect, denied: [denied(window, free)] };
  const unitsOf = (quantity: number) => (quantity === 0 ? [] : [{ orderLineId, quantity }]);
  return { ...noEffect, cancelled: unitsOf(cancelled), returned: unitsOf(returned) };
};

/**
 * Returns the effect of a withdrawal on an order.
 * An open right counts, even when it is uncertain: an unknown delivery leaves it open. Only a certain end or exemption
 * denies it.
 *
 * @param rules `statutoryRules`, or those of the deployment
 * @param lines the lines that the consumer means; undefined for all units
 * @param declaredAt the time that counts for the period, whatever the time of the match is
 */
export const effectOfMatch = (
  rules: readonly StatutoryRule[],
  { order, ledger }: { readonly order: Order; readonly ledger: Ledger },
  { lines, declaredAt }: { readonly lines: readonly LineUnits[] | undefined; readonly declaredAt: Instant },
): MatchEffect => {
  const windows = new Map(withdrawalWindows(rules, order, declaredAt).map((window) => [window.orderLineId, window]));
  const wanted = new Map(lines?.map(({ orderLineId, quantity }) => [orderLineId, quantity]));
  const effects = order.facts.lines.map((line) => {
    const units = lines === undefined ? line.quantity : (wanted.get(line.lineId) ?? 0);
    return effectOnLine(ledger, line, units, windows.get(line.lineId));
  });
  return {
    cancelled: effects.flatMap((effect) => effect.cancelled),
    returned: effects.flatMap((effect) => effect.returned),
    denied: effects.flatMap((effect) => effect.denied),
    undecided: effects.flatMap((effect) => effect.undecided),
  };
};

/** Whether no unit of an order was shipped or is left to ship, so that the shop can cancel all of it. */
export const isWholeOrder = ({ facts }: Pick<Order, 'facts'>, ledger: Ledger): boolean =>
  facts.lines.every((line) => kept(ledger, line) === 0 && shipped(line) === 0);

/** Returns the held units of a withdrawal that the shop shipped anyway, and that a return may take. */
export const heldUnitsShipped = (
  cancelled: readonly LineUnits[],
  { order, ledger }: { readonly order: Pick<Order, 'facts'>; readonly ledger: Ledger },
): readonly LineUnits[] =>
  order.facts.lines.flatMap((line) => {
    const held = cancelled.find(({ orderLineId }) => orderLineId === line.lineId)?.quantity ?? 0;
    const quantity = Math.min(held, shippedAnyway(ledger, line));
    return quantity === 0 ? [] : [{ orderLineId: line.lineId, quantity }];
  });
