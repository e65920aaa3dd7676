import { maxInspections, undecided, undisposed } from '../goods/quantities.ts';
import { adjustLine, changedLines } from '../history/lines.ts';
import { after } from '../history/fold.ts';
import type { Unversioned } from '../model/return.ts';
import { leftOfOrder, orderLineOf, worthOf } from '../money/amounts.ts';
import { moveLedger } from '../money/contribution.ts';
import { feesOf, openFee } from '../money/deductions.ts';
import { exchangeable } from '../money/exchanges.ts';
import { overdrawn } from '../money/recovery.ts';
import { leftToApprove } from '../money/refund-ceiling.ts';
import { leftBesideUnassigned } from '../money/unassigned.ts';
import type { Situation } from '../situation.ts';
import { sum } from '../units-by-line.ts';
import type { Blocker, Guard } from './blocker.ts';
import { correctable } from './correction-faults.ts';
import { eligibilityObjections, evidenceObjections, scopeNow } from './eligibility.ts';
import { floorObjections, isProtected, takenBelowFloor } from './floor.ts';
import { completion, isUnsettled } from './guards/completion-guards.ts';
import { refundable } from './refund-sums.ts';
import { refundWait } from './refund-wait.ts';
import { reopenedLines, room } from './room.ts';
import { type Command, type Override, type Scope, scopeOf } from './states.ts';

const openFees: Guard = (state) =>
  feesOf(state).some((fee) => openFee(fee) > 0)
    ? undefined
    : { code: 'no_open_fee', detail: 'Every fee was taken or waived, or there is none.' };

const roomForInspection: Guard = ({ lines, unexpected }) =>
  sum(lines.map(({ inspections }) => inspections.length)) < maxInspections || unexpected.some(undisposed)
    ? undefined
    : { code: 'too_many_inspections', detail: `A return has at most ${maxInspections} inspections.` };

const noFloor: Guard = ({ lines, terms }) =>
  floorObjections(
    terms,
    lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: undecided(quantities) })),
  )[0];

const somethingToCorrect: Guard = (state) =>
  state.lines.some((line) => correctable(line, state))
    ? undefined
    : { code: 'nothing_to_correct', detail: 'Nothing was recorded of goods, or money and parcels rely on all of it.' };

/**
 * Guards that only the allowed actions ask: each says why no request of a command is taken. The command itself checks what
 * it is given, and refuses with a code for that.
 */
const advice: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  expire: [noFloor],
  addParcel: [room('parcels')],
  inspect: [roomForInspection],
  refund: [room('refunds')],
  waiveFee: [openFees],
  recordRecovery: [room('recoveries')],
  correct: [somethingToCorrect],
};

/** What the allowed actions of a return rest on. */
export type Facts = Pick<Situation, 'state' | 'order' | 'ledger' | 'now'>;

/** What a command takes now: the least scope with which some request of it succeeds, and what that request overrides. */
type Prospect = { readonly scope: Scope; readonly overrides: readonly Override[] };

const asWriter: Prospect = { scope: 'returns:write', overrides: [] };
const asAdmin = (...overrides: readonly Override[]): Prospect => ({ scope: 'returns:admin', overrides });
const pathless = (): string => '';

/** A line that a law protects must be approved. A writer approves some of the others, and rejects the rest. */
const approval = ({ state: { lines, evidence, terms } }: Facts): Prospect => {
  const open = lines
    .filter(({ quantities }) => undecided(quantities) > 0)
    .map((line) => ({
      isBound: terms.floor !== null && isProtected(terms.floor, line.orderLineId),
      against: [
        ...(eligibilityObjections([line], pathless).length > 0 ? (['not_eligible'] as const) : []),
        ...(evidenceObjections([line], evidence, pathless).length > 0 ? (['evidence_required'] as const) : []),
      ],
    }));
  const qualify = open.filter(({ against }) => against.length === 0);
  const failing = open.filter(({ isBound, against }) => isBound && against.length > 0);
  if (qualify.length > 0 && failing.length === 0) return asWriter;
  return asAdmin(...new Set((failing.length > 0 ? failing : open).flatMap(({ against }) => against)));
};

const rejection = ({ state: { lines, terms } }: Facts): Prospect => {
  const units = lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: undecided(quantities) }));
  return floorObjections(terms, units).length > 0 ? asAdmin('statutory_floor_violation') : asWriter;
};

/** A waiver settles money that is owed. Below the statutory floor it needs an admin's override. */
const ending = ({ state, order, ledger, now }: Facts): Prospect => {
  const left = leftOfOrder(order, ledger);
  const ended = completion(state, undefined).reduce<Unversioned>(
    (next, event) => after(next, { ...event, at: now }),
    state,
  );
  const waived = isUnsettled(state, left) ? (['unsettled'] as const) : [];
  return takenBelowFloor(state, ended, left).length > 0
    ? asAdmin(...waived, 'statutory_floor_violation')
    : { ...asWriter, overrides: waived };
};

/** Money that was recorded without its lines may leave less than one unit is worth. */
const exchange = ({ state, order, ledger }: Facts): Prospect | Blocker => {
  const open = state.lines.filter((line) => line.resolution !== 'none' && exchangeable(line) > 0);
  const left = leftBesideUnassigned(state, sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount)));
  return open.some((line) => left === undefined || worthOf(orderLineOf(order, line), ledger, 1).gross <= BigInt(left))
    ? asWriter
    : { code: 'nothing_to_exchange', detail: 'Nothing is given for any of these units, or all was paid for them.' };
};

/** A refund of an order that is known in part needs an admin, and so does one above the limit of the terms. */
const refund = (facts: Facts): Prospect | Blocker => {
  const { state, order, ledger } = facts;
  const sums = refundable(facts);
  if (sums === undefined)
    return refundWait(state) ?? { code: 'nothing_to_refund', detail: 'Nothing is left to pay for the return.' };
  const left = leftToApprove(state, ledger);
  const isAdmins =
    scopeOf('refund', state.status) === 'returns:admin' ||
    order.facts.completeness === 'partial' ||
    (left !== undefined && sums.minimum() > left);
  return isAdmins ? asAdmin() : asWriter;
};

/** Another return may hold the units that the reopened return takes again. */
const restart = ({ state, order, ledger }: Facts): Prospect | Blocker => {
  const lines = changedLines(state, reopenedLines(state), adjustLine);
  return overdrawn(order, ledger, moveLedger(ledger, state, { ...state, lines })).length > 0
    ? { code: 'units_taken', detail: 'Another return holds units of this return.' }
    : asAdmin();
};

/** Commands that more than a state and its guards decide on. */
const prospects: Readonly<Partial<Record<Command, (facts: Facts) => Prospect | Blocker>>> = {
  approve: approval,
  reject: rejection,
  complete: ending,
  exchange,
  refund,
  reopen: restart,
};

/** The scope and overrides that a command takes once no guard blocks it, or why no request of it succeeds. */
export const prospectOf = (facts: Facts, command: Command): Prospect | Blocker => {
  const { state, now } = facts;
  for (const guard of advice[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined) return blocker;
  }
  return prospects[command]?.(facts) ?? { scope: scopeNow(state, command, now), overrides: [] };
};
