import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { RequestedLine } from '../../history/lines.ts';
import type { Order, OrderLine } from '../../model/order.ts';
import type { Eligibility, Return, ReasonDefinition, Reasons } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import type { Terms } from '../../model/terms.ts';
import { amountsOfParts } from '../../money/amounts.ts';
import { returnable } from '../../money/line-units.ts';
import { type Ledger } from '../../money/order-ledger.ts';
import { mayDemandEvidence } from '../../rules/eligibility.ts';
import { defaultResolution, type PathOf, pathInLines } from './check-reasons.ts';
import type { CreateReturn } from './decide-request.ts';

/* Units of an order that a request or an amendment adds to a return. */

type WantedLine = CreateReturn['lines'][number];
type MatchedLine = { readonly wanted: WantedLine; readonly line: OrderLine };

/** Finds the order line of each line. */
export const matchLines = (
  order: Order,
  wanted: readonly WantedLine[],
  pathOf: PathOf = pathInLines,
): Result<readonly MatchedLine[]> => {
  const byId = new Map(order.facts.lines.map((line) => [line.lineId, line]));
  const matched: MatchedLine[] = [];
  const errors: FieldError[] = [];
  wanted.forEach((requested, index) => {
    const line = byId.get(requested.orderLineId);
    if (line === undefined)
      errors.push({ path: `${pathOf(index)}/orderLineId`, code: 'unknown', message: 'must be a line of the order' });
    else matched.push({ wanted: requested, line });
  });
  return errors.length === 0
    ? ok(matched)
    : fail({ code: 'order_line_not_found', detail: 'The order has no line with this id.', errors });
};

/**
 * Checks the lines one after another, because two lines of a request may name the same order line.
 *
 * @param unitsOf the units of an order line that the return may hold
 */
export const checkReturnable = (
  ledger: Ledger,
  lines: readonly MatchedLine[],
  unitsOf: (line: OrderLine) => number,
  pathOf: PathOf = pathInLines,
): Result<null> => {
  const errors: FieldError[] = [];
  const requested = new Map<string, number>();
  lines.forEach(({ wanted, line }, index) => {
    const before = requested.get(line.lineId) ?? 0;
    const free = Math.max(0, returnable(ledger, line, unitsOf) - before);
    if (wanted.quantity > free)
      errors.push({ path: `${pathOf(index)}/quantity`, code: 'maximum', message: `must be at most ${free}` });
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
  /** The policy result of each line; undefined for an allowed line. */
  readonly eligibilities: readonly (Eligibility | undefined)[];
};

/** Makes the lines of a return. */
export const requestedLines = (
  lines: readonly MatchedLine[],
  known: LineContext,
  lineIds: readonly string[],
): readonly RequestedLine[] => {
  const { ledger, reasons, eligibilities } = known;
  const amounts = amountsOfParts(
    lines.map(({ wanted, line }) => ({ line, units: wanted.quantity })),
    ledger,
  );
  return lines.map(({ wanted, line }, index) => {
    const { orderLineId, quantity, reason, condition, resolution = defaultResolution } = wanted;
    const id = lineIds[index];
    const worth = amounts[index];
    const eligibility = eligibilities[index];
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
