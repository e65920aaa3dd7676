import type { Guard } from '../blocker.ts';
import { undisposed } from '../../goods/goods.ts';
import { lost, outstanding, uninspected, unreturned } from '../../goods/quantities.ts';
import { openUnits } from '../../goods/open-units.ts';
import { directionOf, sendable } from '../../goods/sendable.ts';

const somethingToSend: Guard = (state) =>
  Math.max(...sendable(state.lines, state.parcels, directionOf(state)).values()) > 0
    ? undefined
    : { code: 'nothing_to_send', detail: 'The return has no units that wait for a parcel.' };

const someParcel: Guard = ({ parcels }) =>
  parcels.length > 0 ? undefined : { code: 'no_parcel', detail: 'The return has no parcels.' };

const somethingOutstanding: Guard = ({ lines }) =>
  lines.some(({ quantities }) => outstanding(quantities) > 0)
    ? undefined
    : { code: 'nothing_outstanding', detail: 'The return waits for no units.' };

/** What stays with the customer is neither given up nor called off: it is to be paid for. */
export const somethingOpen: Guard = (state) =>
  openUnits(state).length > 0 ? undefined : { code: 'nothing_outstanding', detail: 'The return waits for no units.' };

const somethingToInspect: Guard = ({ lines, unexpected }) =>
  lines.some(({ quantities }) => uninspected(quantities) > 0) || unexpected.some(undisposed)
    ? undefined
    : { code: 'nothing_to_inspect', detail: 'All that came was inspected.' };

const somethingToGrant: Guard = ({ lines, parcels }) =>
  lines.some((line) => lost(line) + unreturned(line, parcels) > 0)
    ? undefined
    : { code: 'nothing_to_grant', detail: 'The return has no missing or refused units to honour.' };

/** What commands on goods want of a return. */
export const goodsGuards = {
  addParcel: [somethingToSend],
  updateParcel: [someParcel],
  closeReceipt: [somethingOutstanding],
  inspect: [somethingToInspect],
  grant: [somethingToGrant],
} as const;
