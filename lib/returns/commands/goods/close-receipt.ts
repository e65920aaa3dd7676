import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { decided, type Decision } from '../../failure.ts';
import type { MissingUnits } from '../../model/goods.ts';
import { sentByCustomer } from '../../goods/parcels.ts';
import { outstanding } from '../../goods/quantities.ts';
import type { Return } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';
import { unitsByLine, type NamedUnits } from '../../units-by-line.ts';

type Cause = MissingUnits['cause'];

/** Units that do not come any more, all that are outstanding when none are named; why, for all or by line. */
export type CloseReceipt = {
  readonly cause?: Cause;
  readonly lines?: readonly (NamedUnits[number] & { readonly cause?: Cause })[];
};

/** Where something came, the rest was not in it; else what was sent is lost, or, as far as is known, nobody sent anything. */
const likelyCause = ({ lines, parcels, unexpected }: Return): Cause => {
  const sent = sentByCustomer(parcels);
  const came = lines.some(({ quantities }) => quantities.received > 0);
  if (came || unexpected.length > 0 || sent.some(({ status }) => status === 'delivered')) return 'not_in_parcel';
  return sent.length > 0 ? 'lost_in_transit' : 'never_sent';
};

/** Decides that units do not come any more: they are missing, and free for another return until they come after all. */
export const closeReceipt = (situation: Situation, { cause, lines }: CloseReceipt): Decision<Outcome> => {
  const admission = admitted(situation, 'closeReceipt');
  if (!admission.ok) return admission;
  const { state } = situation;
  const most = new Map(state.lines.map(({ id, quantities }) => [id, outstanding(quantities)]));
  const units = lines === undefined ? decided(most) : unitsByLine(lines, most);
  if (!units.ok) return units;
  const usual = cause ?? likelyCause(state);
  const causes = new Map(lines?.map((line) => [line.lineId, line.cause]));
  const missing = Array.from(units.value, ([lineId, quantity]) => ({
    lineId,
    quantity,
    cause: causes.get(lineId) ?? usual,
  })).filter(({ quantity }) => quantity > 0);
  return conclude(situation, [{ type: 'items.missing', data: { lines: missing } }]);
};
