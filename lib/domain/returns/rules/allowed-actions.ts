import { maxInspections, undecided, isUndisposed } from '../goods/quantities.ts';
import { adjustLine, changedLines } from '../history/lines.ts';
import { applyEvent } from '../history/fold.ts';
import type { Order } from '../model/order.ts';
import type { UnversionedReturn, Return } from '../model/return.ts';
import { updateLedger } from '../money/return-entries.ts';
import { feesOf, openFeeAmount } from '../money/deductions.ts';
import { exchangeable } from '../money/exchanges.ts';
import { overdrawnErrors, returnable } from '../money/line-units.ts';
import { amountLeftFor } from '../money/paid-limit.ts';
import { quote } from '../money/quote.ts';
import { approvalLimitLeft } from '../money/refund-ceiling.ts';
import type { Situation } from '../situation.ts';
import { sum } from '../units-by-line.ts';
import type { Blocker, Guard } from './blocker.ts';
import { mayWriterCompensate } from './compensations.ts';
import { isCorrectable } from './correction-errors.ts';
import { eligibilityFailures, evidenceFailures, requiredScope } from './eligibility.ts';
import { floorFailuresOfRejection, isProtected, floorFailuresOfTransition, returnableUnits } from './floor.ts';
import { completionEvents, isUnsettled } from './guards/completion-guards.ts';
import { unwaivableBlockerOf } from './guards/guards.ts';
import { afterEvents, receivedInOrder } from './received-in-order.ts';
import { paysNow, refundableSums, refundWait, sumOf } from './refund-sums.ts';
import { reopenedLines, belowLimit, maxLines } from './limits.ts';
import {
  type Command,
  type Override,
  type Scope,
  scopeOf,
  type AllowedAction,
  commands,
  isUndecided,
} from './states.ts';

const someOpenFee: Guard = (state) =>
  feesOf(state).some((fee) => openFeeAmount(fee) > 0)
    ? undefined
    : { code: 'no_open_fee', detail: 'The return has no open fee.' };

const belowInspectionLimit: Guard = ({ lines, unexpected }) =>
  sum(lines.map(({ inspections }) => inspections.length)) < maxInspections || unexpected.some(isUndisposed)
    ? undefined
    : { code: 'too_many_inspections', detail: `A return has at most ${maxInspections} inspections.` };

const noProtectedUnits: Guard = ({ lines, terms }) =>
  floorFailuresOfRejection(
    terms,
    lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: undecided(quantities) })),
  )[0];

const unitsToCorrect: Guard = (state) =>
  state.lines.some((line) => isCorrectable(line, state))
    ? undefined
    : { code: 'nothing_to_correct', detail: 'The return has no recorded quantity that can be corrected.' };

/**
 * Guards for the allowed actions only. Each returns why every request of a command would fail. The command itself
 * checks its input and fails with its own code.
 */
const allowedActionGuards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  expire: [noProtectedUnits],
  addParcel: [belowLimit('parcels')],
  inspect: [belowInspectionLimit],
  refund: [belowLimit('refunds')],
  compensate: [belowLimit('refunds')],
  waiveFee: [someOpenFee],
  recordRecovery: [belowLimit('recoveries')],
  correct: [unitsToCorrect],
};

/** The input of the allowed actions of a return. */
type ActionInput = Pick<Situation, 'state' | 'order' | 'ledger' | 'now'>;

/**
 * What a command requires now. The scope is the least with which some request succeeds. The overrides are those of that
 * request.
 */
type CommandRequirements = { readonly scope: Scope; readonly overrides: readonly Override[] };

const writerRequirements: CommandRequirements = { scope: 'returns:write', overrides: [] };
const adminRequirements = (...overrides: readonly Override[]): CommandRequirements => ({
  scope: 'returns:admin',
  overrides,
});
const noPath = (): string => '';

/**
 * A line that a law protects must be approved. A writer approves the other lines that need no override, and rejects the
 * rest.
 */
const approvalRequirements = ({ state: { lines, evidence, terms } }: ActionInput): CommandRequirements => {
  const open = lines
    .filter(({ quantities }) => undecided(quantities) > 0)
    .map((line) => ({
      isBound: terms.floor !== null && isProtected(terms.floor, line.orderLineId),
      against: [
        ...(eligibilityFailures([line], noPath).length > 0 ? (['not_eligible'] as const) : []),
        ...(evidenceFailures([line], evidence, noPath).length > 0 ? (['evidence_required'] as const) : []),
      ],
    }));
  const qualify = open.filter(({ against }) => against.length === 0);
  const failing = open.filter(({ isBound, against }) => isBound && against.length > 0);
  if (qualify.length > 0 && failing.length === 0) return writerRequirements;
  return adminRequirements(...new Set((failing.length > 0 ? failing : open).flatMap(({ against }) => against)));
};

const rejectionRequirements = ({ state: { lines, terms } }: ActionInput): CommandRequirements => {
  const units = lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: undecided(quantities) }));
  return floorFailuresOfRejection(terms, units).length > 0
    ? adminRequirements('statutory_floor_violation')
    : writerRequirements;
};

/** A waiver settles money that is owed. Below the statutory floor it needs an admin's override. */
const completionRequirements = (facts: ActionInput): CommandRequirements => {
  const { state, now } = facts;
  const left = amountLeftFor(facts);
  const ended = completionEvents(state, undefined).reduce<UnversionedReturn>(
    (next, event) => applyEvent(next, { ...event, at: now }),
    state,
  );
  const waived = isUnsettled(state, left) ? (['unsettled'] as const) : [];
  return floorFailuresOfTransition(state, ended, left).length > 0
    ? adminRequirements(...waived, 'statutory_floor_violation')
    : { ...writerRequirements, overrides: waived };
};

/** A new item may cost as little as refunds have left. */
const exchangeRequirements = (facts: ActionInput): CommandRequirements | Blocker => {
  const hasUnits = facts.state.lines.some((line) => line.resolution !== 'none' && exchangeable(line) > 0);
  return hasUnits
    ? writerRequirements
    : { code: 'nothing_to_exchange', detail: 'The return has no units that can still be exchanged.' };
};

/** A refund on partial order facts requires an admin. So does a refund above the limit of the terms. */
const refundRequirements = (facts: ActionInput): CommandRequirements | Blocker => {
  const { state, order, ledger } = facts;
  const sums = refundableSums(facts);
  if (sums === undefined)
    return refundWait(state) ?? { code: 'nothing_to_refund', detail: 'The return has no amount left to refund.' };
  const left = approvalLimitLeft(state, ledger);
  const isAdmins =
    scopeOf('refund', state.status) === 'returns:admin' ||
    order.facts.completeness === 'partial' ||
    (left !== undefined && sums.minimum() > left);
  return isAdmins ? adminRequirements() : writerRequirements;
};

/**
 * The goods are taken as received in order. The refund that follows must pay something, and its whole amount decides on
 * the scope: the request names no units.
 */
const receiveAndRefundRequirements = ({ state, order, ledger, now }: ActionInput): CommandRequirements | Blocker => {
  const accepted = afterEvents(state, receivedInOrder(state, now, []), now);
  const blocker = unwaivableBlockerOf(accepted, 'refund');
  if (blocker !== undefined) return blocker;
  const nothing = {
    code: 'nothing_to_refund',
    detail: 'The return has no amount to refund after the receipt.',
  } as const;
  const quoted = quote({ state: accepted, order, ledger }, {});
  if (!quoted.ok || !paysNow(sumOf(quoted.value), refundWait(accepted))) return nothing;
  const left = approvalLimitLeft(state, ledger);
  const isAdmins = order.facts.completeness === 'partial' || (left !== undefined && quoted.value.total.amount > left);
  return isAdmins ? adminRequirements() : writerRequirements;
};

/** Another return may hold the units that the reopened return takes again. */
const reopenRequirements = ({ state, order, ledger }: ActionInput): CommandRequirements | Blocker => {
  const lines = changedLines(state, reopenedLines(state), adjustLine);
  const next = updateLedger(ledger, state, { ...state, lines });
  return overdrawnErrors(order, ledger, next, returnableUnits(state)).length > 0
    ? { code: 'units_taken', detail: 'Another return contains units of this return.' }
    : adminRequirements();
};

/** An undecided line takes more units. All other units need a line of their own. */
const amendmentRequirements = ({ state, order, ledger }: ActionInput): CommandRequirements | Blocker => {
  const own = new Set(state.lines.map(({ orderLineId }) => orderLineId));
  const free = order.facts.lines.filter((line) => returnable(ledger, line, returnableUnits(state)) > 0);
  if (free.length === 0) return { code: 'nothing_to_add', detail: 'The order has no unit left to return.' };
  return state.lines.length < maxLines || (isUndecided(state.status) && free.some(({ lineId }) => own.has(lineId)))
    ? writerRequirements
    : { code: 'too_many_lines', detail: `A return has at most ${maxLines} lines.` };
};

/** The requirements of commands that depend on more than a state and its guards. */
const requirements: Readonly<Partial<Record<Command, (facts: ActionInput) => CommandRequirements | Blocker>>> = {
  approve: approvalRequirements,
  amendReturn: amendmentRequirements,
  reject: rejectionRequirements,
  complete: completionRequirements,
  exchange: exchangeRequirements,
  compensate: (facts) => (mayWriterCompensate(facts) ? writerRequirements : adminRequirements()),
  receiveAndRefund: receiveAndRefundRequirements,
  refund: refundRequirements,
  reopen: reopenRequirements,
};

/**
 * Returns the scope and overrides that a command requires once no guard blocks it.
 * Returns the blocker when no request succeeds.
 */
const requirementsOf = (facts: ActionInput, command: Command): CommandRequirements | Blocker => {
  const { state, now } = facts;
  for (const guard of allowedActionGuards[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined) return blocker;
  }
  return requirements[command]?.(facts) ?? { scope: requiredScope(state, command, now), overrides: [] };
};

const blockedAction = (action: Command, scope: Scope, { code }: Pick<Blocker, 'code'>): AllowedAction => ({
  action,
  scope,
  allowed: false,
  blockedBy: code,
});

/** Returns the order if its facts have every line of the return. Without them no command can compute its outcome. */
const orderWithAllLines = ({ lines }: Return, order: Order | undefined): Order | undefined => {
  const known = new Set(order?.facts.lines.map(({ lineId }) => lineId));
  return lines.every(({ orderLineId }) => known.has(orderLineId)) ? order : undefined;
};

/**
 * Lists every command on a return: whether some request of it succeeds now, and with which scope.
 * Otherwise it lists the blocker. A platform fact may be recorded even when a service rule blocks the command.
 *
 * @param known without an order when its facts are removed
 */
export const allowedActions = (
  known: Omit<ActionInput, 'order'> & { readonly order: Order | undefined },
): readonly AllowedAction[] => {
  const { state, now } = known;
  const order = orderWithAllLines(state, known.order);
  return commands.map((action) => {
    if (order === undefined) return blockedAction(action, scopeOf(action, state.status), { code: 'order_removed' });
    const prospect = unwaivableBlockerOf(state, action) ?? requirementsOf({ ...known, order }, action);
    if ('code' in prospect) return blockedAction(action, requiredScope(state, action, now), prospect);
    const { scope, overrides } = prospect;
    return { action, scope, allowed: true, ...(overrides.length === 0 ? {} : { overrides: [...overrides] }) };
  });
};
