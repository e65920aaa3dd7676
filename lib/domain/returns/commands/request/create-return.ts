import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { Event } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import type { ReturnRequested } from '../../history/lifecycle-events.ts';
import type { Order, OrderLine } from '../../model/order.ts';
import type { Return, ReasonDefinition, Reasons } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import type { Terms } from '../../model/terms.ts';
import { amountsOfParts } from '../../money/amounts.ts';
import { fulfilled, type Ledger, returnable, shipped } from '../../money/ledger.ts';
import { mayDemandEvidence } from '../../rules/eligibility.ts';
import { recordDiscrepancies } from '../../rules/discrepancies.ts';
import { builtInReasons } from '../../rules/reasons.ts';
import type { Situation } from '../../situation.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { checkReasons, defaultResolution } from './check-reasons.ts';
import {
  type PolicyDecisionByLine,
  platformStatusFailures,
  initialDecisionEvents,
  type CreateReturn,
} from './decide-request.ts';

/** The identity of a new return. The caller of the decision makes it. */
export type NewReturnIds = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly lineIds: readonly string[];
  readonly subject: string;
  readonly actorKey?: string;
};

type RequestedLine = CreateReturn['lines'][number];
type MatchedLine = { readonly wanted: RequestedLine; readonly line: OrderLine };

const lineError = (index: number, field: string, code: string, message: string): FieldError => ({
  path: `/lines/${index}/${field}`,
  code,
  message,
});

const matchLines = (order: Order, wanted: readonly RequestedLine[]): Result<readonly MatchedLine[]> => {
  const byId = new Map(order.facts.lines.map((line) => [line.lineId, line]));
  const matched: MatchedLine[] = [];
  const errors: FieldError[] = [];
  wanted.forEach((requested, index) => {
    const line = byId.get(requested.orderLineId);
    if (line === undefined) {
      errors.push(lineError(index, 'orderLineId', 'unknown', 'must be a line of the order'));
    } else matched.push({ wanted: requested, line });
  });
  return errors.length === 0
    ? ok(matched)
    : fail({ code: 'order_line_not_found', detail: 'The order has no line with this id.', errors });
};

/**
 * Checks the lines one after another, because two lines of a request may name the same order line.
 *
 * @param withdrawable order lines with a right of withdrawal, of which shipped units may be returned
 */
const checkReturnable = (
  ledger: Ledger,
  lines: readonly MatchedLine[],
  withdrawable: ReadonlySet<string>,
): Result<null> => {
  const errors: FieldError[] = [];
  const requested = new Map<string, number>();
  lines.forEach(({ wanted, line }, index) => {
    const before = requested.get(line.lineId) ?? 0;
    const units = withdrawable.has(line.lineId) ? shipped : fulfilled;
    const free = Math.max(0, returnable(ledger, line, units) - before);
    if (wanted.quantity > free) errors.push(lineError(index, 'quantity', 'maximum', `must be at most ${free}`));
    requested.set(line.lineId, before + wanted.quantity);
  });
  return errors.length === 0
    ? ok(null)
    : fail({ code: 'quantity_exceeds_returnable', detail: 'The units exceed what can still be returned.', errors });
};

const requiresEvidence = (
  reason: ReasonDefinition | undefined,
  orderLineId: string,
  known: Pick<LineContext, 'terms' | 'basis'>,
): boolean => reason?.evidenceRequired === true && mayDemandEvidence(reason.fault, orderLineId, known);

type LineContext = {
  readonly ledger: Ledger;
  readonly reasons: Reasons;
  readonly terms: Terms;
  readonly basis: Return['basis'];
  readonly decisionByLine?: PolicyDecisionByLine;
};

const requestedLines = (
  lines: readonly MatchedLine[],
  known: LineContext,
  lineIds: readonly string[],
): ReturnRequested['lines'] => {
  const { ledger, reasons, decisionByLine } = known;
  const amounts = amountsOfParts(
    lines.map(({ wanted, line }) => ({ line, units: wanted.quantity })),
    ledger,
  );
  return lines.map(({ wanted, line }, index) => {
    const { orderLineId, quantity, reason, condition, resolution = defaultResolution } = wanted;
    const id = lineIds[index];
    const worth = amounts[index];
    const eligibility = decisionByLine?.lines[index];
    if (id === undefined || worth === undefined) throw new Error('fewer line ids than lines');
    return {
      id,
      orderLineId,
      ...(line.sku === undefined ? {} : { sku: line.sku }),
      quantity,
      reason,
      ...(condition === undefined ? {} : { condition }),
      ...(requiresEvidence(reasons.get(reason.code), orderLineId, known) ? { evidenceRequired: true } : {}),
      resolution,
      ...(eligibility === undefined ? {} : { eligibility }),
      amounts: worth,
    };
  });
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
  const free = checkReturnable(ledger, lines.value, withdrawable);
  if (!free.ok) return free;
  const { decisionByLine, status } = command;
  const wanted = requestedLines(
    lines.value,
    { ledger, reasons, terms, basis: command.basis, ...(decisionByLine && { decisionByLine }) },
    ids.lineIds,
  );
  const request: Event = { type: 'return.requested', data: toReturnRequested(order, command, terms, wanted, ids) };
  const state = applyEvent(undefined, { ...request, at: now });
  const discrepancies = recordDiscrepancies(situation, platformStatusFailures(state, status));
  if (!discrepancies.ok) return discrepancies;
  const events = initialDecisionEvents(state, status, decisionByLine);
  return toOutcome({ ...situation, state: undefined }, [request, ...events, ...discrepancies.value]);
};
