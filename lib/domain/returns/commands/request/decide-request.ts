import { undecided } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import type { DecidedLine } from '../../history/lifecycle-events.ts';
import type {
  Eligibility,
  PolicyDecision,
  Line,
  Return,
  UnversionedReturn,
  ExternalRef,
  Reason,
  Resolution,
} from '../../model/return.ts';
import { eligibilityFailures, evidenceFailures } from '../../rules/eligibility.ts';
import type { RuleFailure } from '../../rules/discrepancies.ts';
import { floorFailuresOfRejection } from '../../rules/floor.ts';

/**
 * Decides the requested units of each line: some are approved, the rest are rejected.
 *
 * @param units units to approve by line id; an absent line is rejected
 */
export const decideLines = (
  { lines, terms }: Pick<Return, 'lines' | 'terms'>,
  units: ReadonlyMap<string, number>,
): readonly DecidedLine[] =>
  lines.map(({ id, quantities }) => {
    const more = units.get(id) ?? 0;
    return {
      lineId: id,
      approved: quantities.approved + more,
      rejected: quantities.rejected + undecided(quantities) - more,
      ...(terms.returnless === true && more > 0 ? { returnless: quantities.returnless + more } : {}),
    };
  });

/** The policy decision on a request, line by line. A line that the policy allows is undefined. */
export type PolicyDecisionByLine = PolicyDecision & { readonly lines: readonly (Eligibility | undefined)[] };

/** The decision of a platform on a return that it manages. */
type PlatformStatus = 'requested' | 'approved' | 'rejected' | undefined;

/** Approves the eligible lines, or all of them, and rejects the rest. */
export const approvalEvent = (state: UnversionedReturn, isApproved: (line: Line) => boolean): Event => {
  const units = state.lines
    .filter(isApproved)
    .map(({ id, quantities }): [string, number] => [id, undecided(quantities)]);
  return { type: 'return.approved', data: { lines: decideLines(state, new Map(units)) } };
};

const rejectionEvent = (state: UnversionedReturn, code: string): Event => ({
  type: 'return.rejected',
  data: { rejection: { code }, lines: decideLines(state, new Map()) },
});

const isEligible = ({ eligibility }: Line): boolean => eligibility?.verdict !== 'ineligible';

/** Returns whether a line requires evidence. A return that is only requested cannot have attachments. */
const requiresEvidence = ({ lines }: UnversionedReturn): boolean =>
  lines.some((line) => line.evidenceRequired && isEligible(line));

/** Returns the events of the policy decision on a request. The decision binds customers. Staff may override it. */
const policyDecisionEvents = (state: UnversionedReturn, { verdict }: PolicyDecisionByLine): readonly Event[] => {
  const isAdvice = state.initiatedBy === 'agent' && !state.lines.every(isEligible);
  if (verdict === 'needs_review' || isAdvice) return [];
  if (verdict === 'approved') return [approvalEvent(state, isEligible)];
  const code = state.lines.find(({ eligibility }) => eligibility !== undefined)?.eligibility?.code;
  return [rejectionEvent(state, code ?? 'rejected')];
};

/** Returns the events of the initial decision on a request, by the platform, the policy or the terms. */
export const initialDecisionEvents = (
  state: UnversionedReturn,
  platformStatus: PlatformStatus,
  decisionByLine: PolicyDecisionByLine | undefined,
): readonly Event[] => {
  if (platformStatus === 'requested') return [];
  if (platformStatus === 'rejected') return [rejectionEvent(state, 'rejected_by_platform')];
  if (platformStatus === 'approved') return [approvalEvent(state, () => true)];
  if (requiresEvidence(state) && decisionByLine?.verdict !== 'rejected') return [];
  if (decisionByLine !== undefined) return policyDecisionEvents(state, decisionByLine);
  return state.terms.approval === 'auto' ? [approvalEvent(state, () => true)] : [];
};

const observedStatusPath = () => '/observed/status';

/** Lists the service rules that the platform's decision on a request breaks. */
export const platformStatusFailures = (
  state: UnversionedReturn,
  platformStatus: PlatformStatus,
): readonly RuleFailure[] => {
  const requested = state.lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: quantities.requested }));
  if (platformStatus === 'rejected') return floorFailuresOfRejection(state.terms, requested);
  return platformStatus === 'approved'
    ? [
        ...eligibilityFailures(state.lines, observedStatusPath),
        ...evidenceFailures(state.lines, [], observedStatusPath),
      ]
    : [];
};

/** A request to return units of an order. Its free text is a personal-text reference. */
export type CreateReturn = {
  readonly lines: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly reason: Reason;
    readonly condition?: string;
    readonly resolution?: Resolution;
  }[];
  readonly managedBy?: Return['managedBy'];
  readonly externalRefs?: readonly ExternalRef[];
  readonly channel?: string;
  readonly initiatedBy?: Return['initiatedBy'];
  readonly basis?: Exclude<Return['basis'], undefined>;
  readonly isGift?: boolean;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** The decision of the platform that manages the return. */
  readonly status?: 'requested' | 'approved' | 'rejected';
  /** The decision of the policy that applies to the order. */
  readonly decisionByLine?: PolicyDecisionByLine;
};
