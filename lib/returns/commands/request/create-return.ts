import { decided, type Decision, refused } from '../../failure.ts';
import type { Event } from '../../history/entry.ts';
import { after } from '../../history/fold.ts';
import type { Requested } from '../../history/life-events.ts';
import type { Order, OrderLine } from '../../model/order.ts';
import type { ReasonDefinition, Reasons } from '../../model/reason.ts';
import type { Return } from '../../model/return.ts';
import type { Fault } from '../../model/status.ts';
import type { Terms } from '../../model/terms.ts';
import { amountsOfParts } from '../../money/amounts.ts';
import { type Ledger, returnable } from '../../money/ledger.ts';
import { mayDemandEvidence } from '../../rules/eligibility.ts';
import { conceded } from '../../rules/fact.ts';
import { builtInReasons } from '../../rules/reasons.ts';
import type { Situation } from '../../situation.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { checkReasons, defaultResolution } from './check-reasons.ts';
import type { CreateReturn } from './new-return.ts';
import { type Judged, objectionsTo, settledAtOnce } from './settle-request.ts';

/** What a new return is known by, made by the caller of the decision. */
export type NewIds = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly lineIds: readonly string[];
  readonly subject: string;
  readonly actorKey?: string;
};

type Wanted = CreateReturn['lines'][number];
type Matched = { readonly wanted: Wanted; readonly line: OrderLine };

const lineFault = (index: number, field: string, code: string, message: string): Fault => ({
  path: `/lines/${index}/${field}`,
  code,
  message,
});

const matchLines = (order: Order, wanted: readonly Wanted[]): Decision<readonly Matched[]> => {
  const byId = new Map(order.facts.lines.map((line) => [line.lineId, line]));
  const matched: Matched[] = [];
  const errors: Fault[] = [];
  wanted.forEach((one, index) => {
    const line = byId.get(one.orderLineId);
    if (line === undefined) {
      errors.push(lineFault(index, 'orderLineId', 'unknown', 'must be a line of the order'));
    } else matched.push({ wanted: one, line });
  });
  return errors.length === 0
    ? decided(matched)
    : refused({ code: 'order_line_not_found', detail: 'The order has no such line.', errors });
};

/** Looks at the lines one after another: two lines of a request may name the same line of the order. */
const checkReturnable = (ledger: Ledger, lines: readonly Matched[]): Decision<null> => {
  const errors: Fault[] = [];
  const asked = new Map<string, number>();
  lines.forEach(({ wanted, line }, index) => {
    const before = asked.get(line.lineId) ?? 0;
    const free = Math.max(0, returnable(ledger, line) - before);
    if (wanted.quantity > free) errors.push(lineFault(index, 'quantity', 'maximum', `must be at most ${free}`));
    asked.set(line.lineId, before + wanted.quantity);
  });
  return errors.length === 0
    ? decided(null)
    : refused({ code: 'quantity_exceeds_returnable', detail: 'More units than may still be returned.', errors });
};

const demandsEvidence = (
  reason: ReasonDefinition | undefined,
  orderLineId: string,
  known: Pick<Known, 'terms' | 'basis'>,
): boolean => reason?.evidenceRequired === true && mayDemandEvidence(reason.fault, orderLineId, known);

type Known = {
  readonly ledger: Ledger;
  readonly reasons: Reasons;
  readonly terms: Terms;
  readonly basis: Return['basis'];
  readonly judged?: Judged;
};

const requestedLines = (lines: readonly Matched[], known: Known, lineIds: readonly string[]): Requested['lines'] => {
  const { ledger, reasons, judged } = known;
  const amounts = amountsOfParts(
    lines.map(({ wanted, line }) => ({ line, units: wanted.quantity })),
    ledger,
  );
  return lines.map(({ wanted, line }, index) => {
    const { orderLineId, quantity, reason, condition, resolution = defaultResolution } = wanted;
    const id = lineIds[index];
    const worth = amounts[index];
    const eligibility = judged?.lines[index];
    if (id === undefined || worth === undefined) throw new Error('fewer line ids than lines');
    return {
      id,
      orderLineId,
      ...(line.sku === undefined ? {} : { sku: line.sku }),
      quantity,
      reason,
      ...(condition === undefined ? {} : { condition }),
      ...(demandsEvidence(reasons.get(reason.code), orderLineId, known) ? { evidenceRequired: true } : {}),
      resolution,
      ...(eligibility === undefined ? {} : { eligibility }),
      amounts: worth,
    };
  });
};

const requestOf = (
  order: Order,
  command: CreateReturn,
  terms: Terms,
  lines: Requested['lines'],
  ids: NewIds,
): Requested => {
  const { number, customer, isGift } = order.facts;
  const { channel, basis, judged } = command;
  const { lines: _, ...judgement } = judged ?? { lines: [] };
  return {
    id: ids.id,
    rmaNumber: ids.rmaNumber,
    order: { platform: order.platform, orderId: order.orderId, ...(number === undefined ? {} : { number }) },
    subject: ids.subject,
    ...(ids.actorKey === undefined ? {} : { actorKey: ids.actorKey }),
    customer: customer ?? {},
    managedBy: command.managedBy ?? 'service',
    externalRefs: command.externalRefs ?? [],
    ...(channel === undefined ? {} : { channel }),
    initiatedBy: command.initiatedBy ?? 'agent',
    ...(basis === undefined ? {} : { basis }),
    isGift: command.isGift ?? isGift ?? false,
    lines,
    tags: command.tags ?? [],
    metadata: command.metadata ?? {},
    terms,
    ...('decisionId' in judgement ? { judgement } : {}),
  };
};

/**
 * Decides on a new return: every line must be of the order, every unit still returnable over all the order's returns,
 * every reason one of the shop's. What a policy or the terms decide by themselves is decided in the same write, but for
 * what wants evidence.
 *
 * @param situation with the shop's reasons, which are those that are built in unless it says otherwise
 */
export const createReturn = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now' | 'observed'> & { readonly reasons?: Reasons },
  command: CreateReturn,
  terms: Terms,
  ids: NewIds,
): Decision<Outcome> => {
  const { order, ledger, now, observed, reasons = builtInReasons } = situation;
  const known = checkReasons(command.lines, reasons, observed !== undefined);
  if (!known.ok) return known;
  const lines = matchLines(order, command.lines);
  if (!lines.ok) return lines;
  const free = checkReturnable(ledger, lines.value);
  if (!free.ok) return free;
  const { judged, status } = command;
  const wanted = requestedLines(
    lines.value,
    { ledger, reasons, terms, basis: command.basis, ...(judged && { judged }) },
    ids.lineIds,
  );
  const request: Event = { type: 'return.requested', data: requestOf(order, command, terms, wanted, ids) };
  const state = after(undefined, { ...request, at: now });
  const beside = conceded(situation, objectionsTo(state, status));
  if (!beside.ok) return beside;
  const events = settledAtOnce(state, status, judged);
  return conclude({ ...situation, state: undefined }, [request, ...events, ...beside.value]);
};
