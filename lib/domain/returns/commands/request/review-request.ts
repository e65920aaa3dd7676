import type { Result, Failure } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { undecided } from '../../goods/quantities.ts';
import type { TextReference } from '../../model/actor.ts';
import type { Override, Return, Message } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { eligibilityFailures, evidenceFailures } from '../../rules/eligibility.ts';
import { recordDiscrepancies } from '../../rules/discrepancies.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { decideLines } from './decide-request.ts';

/** The reason of a rejection. Its free text is a personal-text reference. */
type Reject = Exclude<Return['rejection'], undefined>;

/** Decides to reject the whole return. Other returns may take its units. */
export const reject = (situation: Situation, rejection: Reject): Result<Outcome> => {
  const admission = checkTransition(situation, 'reject');
  if (!admission.ok) return admission;
  const { state } = situation;
  const lines = decideLines(state, new Map());
  return toOutcome(situation, [{ type: 'return.rejected', data: { rejection, lines } }]);
};

/** The units to approve by line; all units when absent. An override states why an ineligible line is approved. */
export type Approve = {
  readonly lines?: readonly (RequestedUnits[number] & { readonly override?: { readonly reason: TextReference } })[];
};

/** Rejects overrides of callers without returns:admin. */
const checkOverrides = (admin: boolean, lines: Exclude<Approve['lines'], undefined>): Result<readonly Override[]> => {
  const overrides = lines.flatMap(({ lineId, override }) => (override === undefined ? [] : [{ lineId, ...override }]));
  const errors = lines.flatMap(({ override }, index) =>
    override === undefined || admin
      ? []
      : [{ path: `/lines/${index}/override`, code: 'scope', message: 'needs the scope returns:admin' }],
  );
  return errors.length > 0
    ? fail({ code: 'override_requires_admin', detail: 'An override needs the scope returns:admin.', errors })
    : ok(overrides);
};

/** Requires every undecided line and at least one unit in an approval. */
const incompleteApprovalErrors = (
  open: ReadonlyMap<string, number>,
  units: ReadonlyMap<string, number>,
): FieldError[] => {
  const errors = [...open]
    .filter(([id, left]) => left > 0 && !units.has(id))
    .map(([id]) => ({ path: '/lines', code: 'required', message: `must name line ${id}` }));
  if ([...units.values()].every((quantity) => quantity === 0)) {
    const message = 'must approve at least one unit; use reject to reject the return';
    errors.push({ path: '/lines', code: 'minimum', message });
  }
  return errors;
};

/** Returns the path of a line in the command. */
const linePath = (lines: Approve['lines'] = [], lineId: string): string => {
  const index = lines.findIndex((line) => line.lineId === lineId);
  return index === -1 ? '/lines' : `/lines/${index}`;
};

const openLines = ({ lines }: Return) => lines.filter(({ quantities }) => undecided(quantities) > 0);

/**
 * Returns the path of the override of a line. Without lines, it is the path as if the command named every undecided
 * line in order.
 */
const overridePathOf = (state: Return, { lines }: Approve) => {
  const named = lines ?? openLines(state).map(({ id }) => ({ lineId: id }));
  const indices = new Map(named.map(({ lineId }, index) => [lineId, index]));
  return (lineId: string): string => {
    const index = indices.get(lineId);
    return index === undefined ? '/lines' : `/lines/${index}/override/reason`;
  };
};

/** Makes the failure of an approval, with the paths of the overrides that an admin must send. */
const failApproval = ({ state }: Situation, command: Approve, failure: Failure) => {
  if (failure.code !== 'insufficient_scope') return fail(failure);
  const [objection] = eligibilityFailures(openLines(state), overridePathOf(state, command));
  return fail(
    objection === undefined || !('errors' in objection)
      ? failure
      : { ...failure, detail: `${objection.detail} ${failure.detail}`, errors: objection.errors },
  );
};

/** Decides on an approval. Units that are not approved are rejected, and other returns may take them. */
export const approve = (situation: Situation, command: Approve): Result<Outcome> => {
  const { state, admin } = situation;
  const admission = checkTransition(situation, 'approve');
  if (!admission.ok) return failApproval(situation, command, admission.failure);
  const overrides = checkOverrides(admin, command.lines ?? []);
  if (!overrides.ok) return overrides;
  const open = new Map(state.lines.map((line) => [line.id, undecided(line.quantities)]));
  const units =
    command.lines === undefined
      ? ok(open)
      : unitsByLine(command.lines, open, { further: (named) => incompleteApprovalErrors(open, named) });
  if (!units.ok) return units;
  const lines = decideLines(state, units.value);
  const waived = new Set(overrides.value.map(({ lineId }) => lineId));
  const approved = state.lines.filter(({ id }) => !waived.has(id) && (units.value.get(id) ?? 0) > 0);
  const pathOfLine = (lineId: string) => linePath(command.lines, lineId);
  const discrepancies = recordDiscrepancies(situation, [
    ...eligibilityFailures(approved, overridePathOf(state, command)),
    ...evidenceFailures(approved, state.evidence, pathOfLine),
  ]);
  if (!discrepancies.ok) return discrepancies;
  const overridden = overrides.value.length === 0 ? {} : { overrides: overrides.value };
  return toOutcome(situation, [{ type: 'return.approved', data: { lines, ...overridden } }, ...discrepancies.value]);
};

/** A question. Its text is a personal-text reference. */
type InformationRequest = Required<Pick<Message, 'id' | 'text'>>;

/** Decides on a question to the customer. The return waits for the answer, but its deadlines keep running. */
export const requestInfo = (situation: Situation, { id, text }: InformationRequest): Result<Outcome> => {
  const admission = checkTransition(situation, 'requestInfo');
  if (!admission.ok) return admission;
  const message: Message = { id, direction: 'asked', at: situation.now, text };
  return toOutcome(situation, [{ type: 'return.info_requested', data: { message } }]);
};

/** The answer of the customer: a personal-text reference, attachments, or both. */
type InfoAnswer = Pick<Message, 'id' | 'text' | 'evidence'>;

/** Decides on an answer to the last question. The return then waits for a decision. */
export const provideInfo = (situation: Situation, answer: InfoAnswer): Result<Outcome> => {
  const admission = checkTransition(situation, 'provideInfo');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const known = new Set(state.evidence.map(({ id }) => id));
  const errors = (answer.evidence ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `/evidence/${index}`, code: 'unknown', message: 'must be an attachment of the return' }],
  );
  if (errors.length > 0)
    return fail({ code: 'attachment_not_found', detail: 'The return has no attachment with this id.', errors });
  const message: Message = { ...answer, direction: 'answered', at: now };
  return toOutcome(situation, [{ type: 'return.info_provided', data: { message } }]);
};
