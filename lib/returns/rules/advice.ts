import type { Guard } from './blocker.ts';
import { correctable } from './correction-faults.ts';
import { feesBeyond, feesOf, openFee } from '../money/deductions.ts';
import { evidenceToApprove } from './evidence-demanded.ts';
import { exchangeable } from '../money/exchanges.ts';
import { floorObjections } from './floor.ts';
import { mostInspections, undisposed } from '../goods/goods.ts';
import { undecided } from '../goods/quantities.ts';
import { ceilingUnits, ceilingWorth, partOfWorth, payableUnits } from '../money/refund-ceiling.ts';
import type { Return } from '../return.ts';
import { refundWait } from './refund-wait.ts';
import { room } from './room.ts';
import type { Command } from './states.ts';
import { sum } from '../sum.ts';
import { leftBesideUnassigned, owedAgain, paidBefore } from '../money/unassigned.ts';

/**
 * What a refund of every payable unit would come to in minor units, shipping apart, as far as the return alone can tell:
 * the goods, less fees and what was paid before, and with what is owed again.
 */
const payable = (state: Return): number => {
  const { lines, terms } = state;
  const open = lines.filter((line) => payableUnits(line, terms) > 0);
  const worth = open.map((line) => {
    const most = Number(partOfWorth(line, BigInt(ceilingUnits(line, terms))));
    return Math.max(0, most - line.amounts.refunded.amount);
  });
  const beyond = sum(feesBeyond(state).map(({ amount }) => amount.amount));
  const net = Math.max(0, sum(worth) - beyond - sum(feesOf(state).map(openFee)));
  const most = Number(ceilingWorth(state));
  return net - paidBefore(state, most, net) + owedAgain(state, most, net);
};

/** Shipping goes back with the last of the goods, even where fees take all that these are worth. */
const mayShippingGoBack = ({ lines, terms }: Return): boolean =>
  terms.shipping !== 'none' && lines.some((line) => payableUnits(line, terms) > 0);

/** Where nothing is left to pay for the goods, shipping and charges still may be, if they are named. */
const noWait: Guard = (state) => (payable(state) > 0 || mayShippingGoBack(state) ? undefined : refundWait(state));

const openFees: Guard = (state) =>
  feesOf(state).some((fee) => openFee(fee) > 0)
    ? undefined
    : { code: 'no_open_fee', detail: 'Every fee was taken or waived, or there is none.' };

/** Money that was recorded without its lines may leave less than one unit is worth. */
const worthToExchange: Guard = (state) => {
  const open = state.lines.filter((line) => line.resolution !== 'none' && exchangeable(line) > 0);
  const left = leftBesideUnassigned(state, sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount)));
  return open.some((line) => left === undefined || partOfWorth(line, 1n) <= BigInt(left))
    ? undefined
    : { code: 'nothing_to_exchange', detail: 'Nothing is given for any of these units, or all was paid for them.' };
};

const roomForInspection: Guard = ({ lines, unexpected }) =>
  sum(lines.map(({ inspections }) => inspections.length)) < mostInspections || unexpected.some(undisposed)
    ? undefined
    : { code: 'too_many_inspections', detail: `A return has at most ${mostInspections} inspections.` };

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
 * Guards that only `allowedActions` asks: each tells beforehand what would be refused. The command itself checks what
 * it is given, and refuses with a code for that.
 */
export const advice: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  approve: [evidenceToApprove],
  reject: [noFloor],
  expire: [noFloor],
  addParcel: [room('parcels')],
  inspect: [roomForInspection],
  exchange: [worthToExchange],
  refund: [room('refunds'), noWait],
  waiveFee: [openFees],
  recordRecovery: [room('recoveries')],
  correct: [somethingToCorrect],
};
