import { repairedInParcels } from '../goods/parcels.ts';
import { grantedMissing, outstanding, refundable, uninspected, unreturned, unshipped } from '../goods/quantities.ts';
import { adjustQuantities } from '../history/lines.ts';
import type { Line, Quantities, Return } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';

/** Units by which a correction changes a line. Negative numbers remove units. */
export type Differences = Partial<Pick<Quantities, 'received' | 'missing' | 'accepted' | 'refused'>>;

const minimumError = (path: string, minimum: number): FieldError => ({
  path,
  code: 'minimum',
  message: `must be at least ${minimum}`,
});

/** What money and parcels allow: the least difference of each quantity, and the units that may still arrive. */
type Limits = { readonly minimum: Required<Differences>; readonly open: number };

const limitsOf = (line: Line, { parcels }: Return): Limits => ({
  minimum: {
    received: -line.quantities.received,
    missing: grantedMissing(line) - line.quantities.missing,
    accepted: repairedInParcels(line.id, parcels) - line.quantities.accepted,
    refused: -unreturned(line, parcels),
  },
  open: unshipped(line, parcels),
});

const fields = ['received', 'missing', 'accepted', 'refused'] as const;

/** Lists differences that remove more units than recorded, or more than money and parcels allow. */
const excessErrors = ({ minimum }: Limits, differences: Differences, at: string): FieldError[] =>
  fields
    .filter((field) => (differences[field] ?? 0) < minimum[field])
    .map((field) => minimumError(`${at}/${field}`, minimum[field]));

/** Lists inconsistent quantities: each unit counts once, and refunded or shipped units stay. */
const consistencyErrors = (line: Line, { open }: Limits, differences: Differences, at: string): FieldError[] => {
  const quantities = adjustQuantities(line.quantities, differences);
  const next = { ...line, quantities };
  const errors: FieldError[] = [];
  const addError = (code: string, message: string) => errors.push({ path: at, code, message });
  if (outstanding(line.quantities) - outstanding(quantities) > open)
    addError('maximum', `received and missing must add at most ${open} units`);
  if (uninspected(quantities) < 0) addError('maximum', 'accepted and refused must not exceed received');
  if (refundable(next) < Math.min(line.quantities.refunded, refundable(line)))
    addError('minimum', 'must not remove units that were refunded');
  return errors;
};

const errorsWithin = (line: Line, limits: Limits, differences: Differences, at: string): readonly FieldError[] => {
  if (Object.values(differences).every((units) => units === 0))
    return [{ path: at, code: 'unchanged', message: 'must change a quantity' }];
  const errors = excessErrors(limits, differences, at);
  return errors.length > 0 ? errors : consistencyErrors(line, limits, differences, at);
};

/** Lists the errors in the correction of a line. `at` is the path of the line in the command. */
export const correctionErrors = (
  line: Line,
  state: Return,
  differences: Differences,
  at: string,
): readonly FieldError[] => errorsWithin(line, limitsOf(line, state), differences, at);

/** All corrections of a single unit. Larger corrections combine these. */
const singleUnitSteps: readonly Differences[] = [
  { accepted: 1 },
  { accepted: -1 },
  { refused: 1 },
  { refused: -1 },
  { received: 1 },
  { received: -1 },
  { missing: 1 },
  { missing: -1 },
  { missing: -1, received: 1 },
  { missing: 1, received: -1 },
];

/** Returns whether any recorded quantity of a line can be corrected. */
export const isCorrectable = (line: Line, state: Return): boolean => {
  const limits = limitsOf(line, state);
  return singleUnitSteps.some((differences) => errorsWithin(line, limits, differences, '').length === 0);
};
