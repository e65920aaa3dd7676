import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { sentByCustomer } from '../../goods/parcels.ts';
import { lost, outstanding, unreturned } from '../../goods/quantities.ts';
import type { GrantedLine } from '../../history/goods-events.ts';
import type { MissingUnits } from '../../model/goods.ts';
import type { Line, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { requireKnownLines } from '../../input-checks.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** The missing or refused units to grant, and the reason as a code. */
type Grant = { readonly lines: readonly GrantedLine[]; readonly reason: string };

const maxGrantable = (line: Line, of: GrantedLine['of'], { parcels }: Return): number =>
  of === 'missing' ? lost(line) : unreturned(line, parcels);

const grantErrors = (state: Return, named: Grant['lines']): FieldError[] => {
  const seen = new Set<string>();
  return named.flatMap(({ lineId, quantity, of }, index) => {
    const line = state.lines.find(({ id }) => id === lineId);
    const left = line === undefined ? 0 : maxGrantable(line, of, state);
    const errors: FieldError[] = [];
    if (quantity > left)
      errors.push({ path: `/lines/${index}/quantity`, code: 'maximum', message: `must be at most ${left}` });
    const name = `${lineId} ${of}`;
    if (seen.has(name))
      errors.push({ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not appear twice' });
    seen.add(name);
    return errors;
  });
};

/** Decides to grant missing units that no other return has, and refused units that stay with the shop. */
export const grant = (situation: Situation, { lines, reason }: Grant): Result<Outcome> => {
  const admission = checkTransition(situation, 'grant');
  if (!admission.ok) return admission;
  const { state } = situation;
  const known = requireKnownLines(new Set(state.lines.map(({ id }) => id)), lines);
  if (!known.ok) return known;
  const errors = grantErrors(state, lines);
  if (errors.length > 0)
    return fail({ code: 'invalid_request', detail: 'The quantities are invalid for this return.', errors });
  return toOutcome(situation, [{ type: 'items.granted', data: { reason, lines } }]);
};

type MissingCause = MissingUnits['cause'];

/**
 * The units to mark as missing, and the cause for all of them or by line.
 * Without lines, all outstanding units are meant.
 */
export type CloseReceipt = {
  readonly cause?: MissingCause;
  readonly lines?: readonly (RequestedUnits[number] & { readonly cause?: MissingCause })[];
};

/**
 * Returns the likely cause of missing units. After any receipt, the rest was not in the parcel. Otherwise a sent parcel
 * is lost, or nothing was sent as far as is known.
 */
const likelyCause = ({ lines, parcels, unexpected }: Return): MissingCause => {
  const sent = sentByCustomer(parcels);
  const came = lines.some(({ quantities }) => quantities.received > 0);
  if (came || unexpected.length > 0 || sent.some(({ status }) => status === 'delivered')) return 'not_in_parcel';
  return sent.length > 0 ? 'lost_in_transit' : 'never_sent';
};

/** Decides to mark outstanding units as missing. Another return may take them until they arrive after all. */
export const closeReceipt = (situation: Situation, { cause, lines }: CloseReceipt): Result<Outcome> => {
  const admission = checkTransition(situation, 'closeReceipt');
  if (!admission.ok) return admission;
  const { state } = situation;
  const maximum = new Map(state.lines.map(({ id, quantities }) => [id, outstanding(quantities)]));
  const units = lines === undefined ? ok(maximum) : unitsByLine(lines, maximum);
  if (!units.ok) return units;
  const usual = cause ?? likelyCause(state);
  const causes = new Map(lines?.map((line) => [line.lineId, line.cause]));
  const missing = Array.from(units.value, ([lineId, quantity]) => ({
    lineId,
    quantity,
    cause: causes.get(lineId) ?? usual,
  })).filter(({ quantity }) => quantity > 0);
  return toOutcome(situation, [{ type: 'items.missing', data: { lines: missing } }]);
};
