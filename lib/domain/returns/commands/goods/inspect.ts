import type { Result } from '../../failure.ts';
import { fail } from '../../../../runtime/result.ts';
import { maxInspections, isUndisposed, uninspected } from '../../goods/quantities.ts';
import type { InspectionRecorded } from '../../history/goods-events.ts';
import type { Inspection } from '../../model/goods.ts';
import type { Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { requireKnownLines } from '../../input-checks.ts';
import { inspectionCapOf } from '../../line-fees.ts';
import { usualDisposition } from '../../rules/received-in-order.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** The result of an inspection. The caller has made its ids, and its texts are personal-text references. */
export type Inspect = {
  readonly lines?: readonly (Omit<Inspection, 'at' | 'disposition' | 'deductionBps'> &
    Partial<Pick<Inspection, 'disposition' | 'deductionBps'>> & { readonly lineId: string })[];
  readonly unexpected?: InspectionRecorded['unexpected'];
};

type InspectedLines = Exclude<Inspect['lines'], undefined>;

/** Checks the entries in order: several entries of a line share its uninspected units. */
const quantityErrors = ({ lines }: Return, inspected: InspectedLines): FieldError[] => {
  const open = new Map(lines.map(({ id, quantities }) => [id, uninspected(quantities)]));
  return inspected.flatMap(({ lineId, quantity }, index) => {
    const left = open.get(lineId) ?? 0;
    open.set(lineId, Math.max(0, left - quantity));
    const message = `must be at most ${left}`;
    return quantity > left ? [{ path: `/lines/${index}/quantity`, code: 'maximum', message }] : [];
  });
};

const outcomeErrors = ({ terms }: Return, inspected: InspectedLines): FieldError[] =>
  inspected.flatMap(({ lineId, outcome, disposition, deductionBps = 0 }, index) => {
    const errors: FieldError[] = [];
    const maximum = outcome === 'accept' ? inspectionCapOf(terms, lineId) : 0;
    if (outcome === 'refuse' && disposition === undefined) {
      const message = 'must name a disposition for refused units';
      errors.push({ path: `/lines/${index}/disposition`, code: 'required', message });
    }
    if (deductionBps > maximum) {
      const message = `must be at most ${maximum} for ${outcome === 'accept' ? 'accepted' : 'refused'} units`;
      errors.push({ path: `/lines/${index}/deductionBps`, code: 'maximum', message });
    }
    return errors;
  });

const countErrors = ({ lines }: Return, inspected: InspectedLines): FieldError[] => {
  const before = sum(lines.map(({ inspections }) => inspections.length));
  const message = `must leave the return with at most ${maxInspections} inspections`;
  return before + inspected.length > maxInspections ? [{ path: '/lines', code: 'max_items', message }] : [];
};

const unknownItemErrors = ({ unexpected }: Return, items: InspectionRecorded['unexpected']): FieldError[] =>
  items.flatMap(({ id }, index) =>
    unexpected.some((item) => item.id === id)
      ? []
      : [{ path: `/unexpected/${index}/id`, code: 'unknown', message: 'must be an unexpected item of the return' }],
  );

/** Requires each item once, and without a disposition. */
const itemErrors = ({ unexpected }: Return, items: InspectionRecorded['unexpected']): FieldError[] => {
  const open = new Set(unexpected.filter(isUndisposed).map(({ id }) => id));
  const message = 'must be an item without a disposition, listed once';
  return items.flatMap(({ id }, index) =>
    open.delete(id) ? [] : [{ path: `/unexpected/${index}/id`, code: 'duplicate', message }],
  );
};

/** Decides on an inspection of received units, accepted or refused, and of unexpected items. */
export const inspect = (
  situation: Situation,
  { lines: inspected = [], unexpected: items = [] }: Inspect,
): Result<Outcome> => {
  const admission = checkTransition(situation, 'inspect');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const known = requireKnownLines(new Set(state.lines.map(({ id }) => id)), inspected);
  if (!known.ok) return known;
  const noItems = unknownItemErrors(state, items);
  if (noItems.length > 0)
    return fail({
      code: 'unexpected_not_found',
      detail: 'The return has no unexpected item with this id.',
      errors: noItems,
    });
  const nothing = inspected.length + items.length === 0;
  const errors = [
    ...(nothing ? [{ path: '/lines', code: 'required', message: 'must name lines or unexpected items' }] : []),
    ...quantityErrors(state, inspected),
    ...outcomeErrors(state, inspected),
    ...countErrors(state, inspected),
    ...itemErrors(state, items),
  ];
  if (errors.length > 0)
    return fail({ code: 'invalid_request', detail: 'The inspection is invalid for this return.', errors });
  const usual = new Map(state.lines.map((line) => [line.id, usualDisposition(line)]));
  const lines = inspected.map(({ disposition, deductionBps = 0, ...found }) => ({
    ...found,
    disposition: disposition ?? usual.get(found.lineId) ?? 'restock',
    deductionBps,
    at: now,
  }));
  return toOutcome(situation, [{ type: 'inspection.recorded', data: { lines, unexpected: items } }]);
};
