import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { feesOfWithdrawal, withLineFees } from '../../line-fees.ts';
import type { EventOf } from '../../history/entry.ts';
import { isSame } from '../../history/canonical-json.ts';
import type { ReturnAmended } from '../../history/lifecycle-events.ts';
import type { Eligibility, Reasons, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import type { LineFeeTerms, Terms } from '../../model/terms.ts';
import { recordDiscrepancies, type RuleFailure } from '../../rules/discrepancies.ts';
import { returnableUnits } from '../../rules/floor.ts';
import { maxLines } from '../../rules/limits.ts';
import { isUndecided } from '../../rules/states.ts';
import type { Situation } from '../../situation.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import type { AddedUnits } from './added-units.ts';
import { checkReasons } from './check-reasons.ts';
import type { PolicyDecisionByLine } from './decide-request.ts';
import { checkReturnable, matchLines, requestedLines } from './requested-lines.ts';

/** What a decision on added units needs beside the situation. */
export type AmendmentRules = {
  readonly reasons: Reasons;
  /** An id for each of the units, in case that they become a line. */
  readonly lineIds: readonly string[];
  /** The policy decision on the added units; undefined when no policy applies. */
  readonly decisionByLine?: PolicyDecisionByLine | undefined;
  /** The terms of the return, raised to the law of the added units. */
  readonly terms: Terms;
  /** The fees of each of the units by rules on facts of a line, in case that they become a line. */
  readonly fees?: readonly (LineFeeTerms | undefined)[];
};

/** An override needs an admin, and a decision that it overrides: an undecided return gets its decision later. */
const checkOverrides = ({ state, admin }: Situation, units: readonly AddedUnits[]): Result<null> => {
  const paths = units.filter(({ override }) => override !== undefined).map(({ path }) => `${path}/override`);
  const errorsOf = (code: string, message: string): readonly FieldError[] =>
    paths.map((path) => ({ path, code, message }));
  if (paths.length === 0) return ok(null);
  if (!admin)
    return fail({
      code: 'override_requires_admin',
      detail: 'An override needs the scope returns:admin.',
      errors: errorsOf('scope', 'needs the scope returns:admin'),
    });
  return isUndecided(state.status)
    ? fail({
        code: 'invalid_request',
        detail: 'The return is not decided yet. Send the override with approve.',
        errors: errorsOf('status', 'must be absent until the return is approved'),
      })
    : ok(null);
};

/** The return is one list of lines for all its commands, so it has a maximum. */
const checkLineCount = ({ lines }: Return, added: readonly AddedUnits[]): Result<null> => {
  const free = Math.max(0, maxLines - lines.length);
  const [beyond] = added.slice(free);
  if (beyond === undefined) return ok(null);
  const message = `must leave the return with at most ${maxLines} lines`;
  return fail({
    code: 'invalid_request',
    detail: 'The return would have too many lines. Create another return for the other units.',
    errors: [{ path: beyond.path, code: 'max_items', message }],
  });
};

/** Checks the units against the shop's reasons and the order. */
const checkUnits = (situation: Situation, units: readonly AddedUnits[], { reasons, terms }: AmendmentRules) => {
  const { state, order, ledger, observed } = situation;
  const wanted = units.map((added) => added.wanted);
  const pathOf = (index: number): string => units[index]?.path ?? '';
  // A line that exists keeps its reason. Such units come last.
  const reasoned = units.filter(({ like }) => like === undefined).map((added) => added.wanted);
  const isFree = observed !== undefined || terms.withdrawal !== undefined;
  const known = checkReasons(reasoned, reasons, isFree, pathOf);
  if (!known.ok) return known;
  const lines = matchLines(order, wanted, pathOf);
  if (!lines.ok) return lines;
  const free = checkReturnable(ledger, lines.value, returnableUnits({ ...state, terms }), pathOf);
  return free.ok ? lines : free;
};

type Added = {
  readonly units: AddedUnits;
  readonly line: ReturnAmended['lines'][number];
  readonly fees: LineFeeTerms | undefined;
};

const ineligibleUnits = (added: readonly Added[]): readonly RuleFailure[] => {
  const errors = added.flatMap(({ units: { path }, line: { eligibility } }) =>
    eligibility === undefined
      ? []
      : [
          {
            path: `${path}/override/reason`,
            code: eligibility.code,
            message: 'must give the reason to add these units; an override needs the scope returns:admin',
          },
        ],
  );
  const detail = 'The policy does not allow these units without a review. Create another return for them.';
  return errors.length === 0 ? [] : [{ code: 'not_eligible', detail, errors }];
};

/** A new line has no attachments. Those of the return count for it, and those of a line with the same units. */
const unprovedUnits = ({ evidence }: Return, added: readonly Added[]): readonly RuleFailure[] => {
  const errors = added
    .filter(
      ({ units: { like }, line }) =>
        line.evidenceRequired === true && !evidence.some(({ lineId = like?.id }) => lineId === like?.id),
    )
    .map(({ units: { path } }) => ({
      path,
      code: 'evidence',
      message: 'needs an attachment for the whole return, or an override',
    }));
  const detail = 'The reason of added units requires evidence. Add an attachment first.';
  return errors.length === 0 ? [] : [{ code: 'evidence_required', detail, errors }];
};

/** Lists why the policy or missing evidence forbids to approve added units at once. */
const objections = (state: Return, added: readonly Added[]): readonly RuleFailure[] => {
  const open = added.filter(({ units: { override } }) => override === undefined);
  return [...ineligibleUnits(open), ...unprovedUnits(state, open)];
};

/** Returns the worse of two policy results. A line is decided as a whole. */
const worse = (before: Eligibility | undefined, more: Eligibility | undefined): Eligibility | undefined =>
  before === undefined || more?.verdict === 'ineligible' ? (more ?? before) : before;

/** Makes the change of an undecided return: its units only join. */
const joined = (added: readonly Added[]): Pick<ReturnAmended, 'lines' | 'raised'> => ({
  lines: added.flatMap(({ units: { like }, line }) => (like === undefined ? [line] : [])),
  raised: added.flatMap(({ units: { like }, line }) => {
    if (like === undefined) return [];
    const eligibility = worse(like.eligibility, line.eligibility);
    return [{ lineId: like.id, quantity: line.quantity, ...(eligibility === undefined ? {} : { eligibility }) }];
  }),
});

/** Approves a line. Goods that came are not left with the customer. */
const approved = ({ units: { item }, line }: Added, { returnless }: Terms): Added['line'] => ({
  ...line,
  approved: line.quantity,
  ...(returnless === true && item === undefined ? { returnless: line.quantity } : {}),
});

/** Returns the receipts of unexpected items that are units of lines now, by the parcel in which they came. */
const receipts = (added: readonly Added[], { inspection }: Terms): readonly EventOf<'items.received'>[] => {
  const came = added.flatMap(({ units: { item }, line: { id, quantity } }) =>
    item === undefined
      ? []
      : [
          {
            parcelId: item.parcelId,
            line: { lineId: id, quantity, late: 0, accepted: inspection === 'skipped' ? quantity : 0 },
          },
        ],
  );
  return Array.from(
    Map.groupBy(came, ({ parcelId }) => parcelId),
    ([parcelId, items]) => ({
      type: 'items.received',
      data: { ...(parcelId === undefined ? {} : { parcelId }), lines: items.map(({ line }) => line) },
    }),
  );
};

/** Returns the terms with the fees of the new lines. Units that join a line have the fees of the line. */
const withFeesOfAdded = (terms: Terms, added: readonly Added[], lines: ReturnAmended['lines']): Terms => {
  const ids = new Set(lines.map(({ id }) => id));
  const own = added.flatMap(({ line: { id }, fees }) => (ids.has(id) ? [{ lineId: id, fees }] : []));
  const all = withLineFees(terms, own);
  return terms.withdrawal === undefined ? all : { ...all, fees: feesOfWithdrawal(all.fees) };
};

/** Makes the change of a return. */
const amendment = (
  state: Return,
  added: readonly Added[],
  { decisionByLine, terms }: AmendmentRules,
): ReturnAmended => {
  const { lines: _, ...judgement } = decisionByLine ?? { lines: [] };
  const overrides = added.flatMap(({ units: { override }, line: { id } }) =>
    override === undefined ? [] : [{ lineId: id, ...override }],
  );
  const change = isUndecided(state.status)
    ? joined(added)
    : { lines: added.map((line) => approved(line, terms)), raised: [] };
  const more = withFeesOfAdded(terms, added, change.lines);
  return {
    ...change,
    unexpected: added.flatMap(({ units: { item }, line: { id, quantity } }) =>
      item === undefined ? [] : [{ id: item.id, lineId: id, quantity }],
    ),
    ...('decisionId' in judgement ? { judgement } : {}),
    ...(overrides.length === 0 ? {} : { overrides }),
    ...(isSame(more, state.terms) ? {} : { terms: more }),
  };
};

/**
 * Decides on units that are added to a return. The terms of the return stay, and only the added units are judged. On an
 * undecided return the units join. On an approved one they are approved at once, or the command fails.
 *
 * @param units the units that `unitsToAdd` returns
 */
export const amendReturn = (
  situation: Situation,
  units: readonly AddedUnits[],
  rules: AmendmentRules,
): Result<Outcome> => {
  const { state, ledger } = situation;
  const { decisionByLine, terms, lineIds, reasons, fees } = rules;
  const isJoining = isUndecided(state.status);
  const overridable = checkOverrides(situation, units);
  if (!overridable.ok) return overridable;
  const few = checkLineCount(state, isJoining ? units.filter(({ like }) => like === undefined) : units);
  if (!few.ok) return few;
  const matched = checkUnits(situation, units, rules);
  if (!matched.ok) return matched;
  const { basis } = state;
  const eligibilities = decisionByLine?.lines ?? [];
  const lines = requestedLines(matched.value, { ledger, reasons, terms, basis, eligibilities }, lineIds);
  const added = units.flatMap((of, index) => {
    const line = lines[index];
    return line === undefined ? [] : [{ units: of, line, fees: fees?.[index] }];
  });
  const discrepancies = recordDiscrepancies(situation, isJoining ? [] : objections(state, added));
  if (!discrepancies.ok) return discrepancies;
  return toOutcome(situation, [
    { type: 'return.amended', data: amendment(state, added, rules) },
    ...receipts(added, terms),
    ...discrepancies.value,
  ]);
};
