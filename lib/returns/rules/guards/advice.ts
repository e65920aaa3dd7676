import type { Guard } from '../blocker.ts';
import { correctable } from '../correction-faults.ts';
import { feesOf, openFee } from '../../money/deductions.ts';
import { floorObjections } from '../floor.ts';
import { mostInspections, undisposed } from '../../goods/goods.ts';
import { undecided } from '../../goods/quantities.ts';
import { room } from '../room.ts';
import type { Command } from '../states.ts';
import { sum } from '../../sum.ts';

const openFees: Guard = (state) =>
  feesOf(state).some((fee) => openFee(fee) > 0)
    ? undefined
    : { code: 'no_open_fee', detail: 'Every fee was taken or waived, or there is none.' };

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
 * Guards that only the allowed actions ask: each says why no request of a command is taken. The command itself checks what
 * it is given, and refuses with a code for that.
 */
export const advice: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  expire: [noFloor],
  addParcel: [room('parcels')],
  inspect: [roomForInspection],
  refund: [room('refunds')],
  waiveFee: [openFees],
  recordRecovery: [room('recoveries')],
  correct: [somethingToCorrect],
};
