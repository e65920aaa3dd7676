import type { Result } from '../../failure.ts';
import type { Event } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import type { ReturnRequested } from '../../history/lifecycle-events.ts';
import type { Order, OrderLine } from '../../model/order.ts';
import type { Reasons } from '../../model/return.ts';
import type { Terms } from '../../model/terms.ts';
import { fulfilled, shipped } from '../../money/line-units.ts';
import { recordDiscrepancies } from '../../rules/discrepancies.ts';
import { builtInReasons } from '../../rules/reasons.ts';
import type { Situation } from '../../situation.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { checkReasons } from './check-reasons.ts';
import { platformStatusFailures, initialDecisionEvents, type CreateReturn } from './decide-request.ts';
import { checkReturnable, matchLines, requestedLines } from './requested-lines.ts';

/** The identity of a new return. The caller of the decision makes it. */
export type NewReturnIds = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly lineIds: readonly string[];
  readonly subject: string;
  readonly actorKey?: string;
};

const toReturnRequested = (
  order: Order,
  command: CreateReturn,
  terms: Terms,
  lines: ReturnRequested['lines'],
  ids: NewReturnIds,
): ReturnRequested => {
  const { number, customer, isGift } = order.facts;
  const { channel, basis, decisionByLine } = command;
  const { lines: _, ...judgement } = decisionByLine ?? { lines: [] };
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

/** The parts of the situation that only a new return has. */
type RequestSituation = { readonly reasons?: Reasons; readonly withdrawable?: ReadonlySet<string> };

/**
 * Decides on a new return. Every line must belong to the order. Every unit must still be returnable across all returns
 * of the order. Every reason must be one of the shop's. An automatic decision of the policy or the terms is part of the
 * same write, unless evidence is required.
 *
 * @param situation the situation with the shop's reasons; the built-in ones by default. `withdrawable` has the order
 * lines that a declared withdrawal covers by law.
 */
export const createReturn = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now' | 'observed'> & RequestSituation,
  command: CreateReturn,
  terms: Terms,
  ids: NewReturnIds,
): Result<Outcome> => {
  const { order, ledger, now, observed, reasons = builtInReasons, withdrawable = new Set() } = situation;
  // A withdrawal has no reason, and a platform follows rules of its own.
  const known = checkReasons(command.lines, reasons, observed !== undefined || terms.withdrawal !== undefined);
  if (!known.ok) return known;
  const lines = matchLines(order, command.lines);
  if (!lines.ok) return lines;
  const unitsOf = (line: OrderLine): number => (withdrawable.has(line.lineId) ? shipped(line) : fulfilled(line));
  const free = checkReturnable(ledger, lines.value, unitsOf);
  if (!free.ok) return free;
  const { decisionByLine, status } = command;
  const wanted = requestedLines(
    lines.value,
    { ledger, reasons, terms, basis: command.basis, eligibilities: decisionByLine?.lines ?? [] },
    ids.lineIds,
  );
  const request: Event = { type: 'return.requested', data: toReturnRequested(order, command, terms, wanted, ids) };
  const state = applyEvent(undefined, { ...request, at: now });
  const discrepancies = recordDiscrepancies(situation, platformStatusFailures(state, status));
  if (!discrepancies.ok) return discrepancies;
  const events = initialDecisionEvents(state, status, decisionByLine);
  return toOutcome({ ...situation, state: undefined }, [request, ...events, ...discrepancies.value]);
};
