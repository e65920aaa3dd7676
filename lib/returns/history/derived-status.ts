import { isMoving } from '../goods/parcels.ts';
import { outstanding, uninspected } from '../goods/quantities.ts';
import type { Unversioned } from '../model/return.ts';
import type { Status } from '../model/status.ts';

/** Statuses that follow from where the goods are. */
const derived: ReadonlySet<Status> = new Set(['approved', 'in_transit', 'partially_received', 'received', 'inspected']);

/** The status that follows from quantities once a return is approved (contract section 4). */
export const derivedStatus = ({
  status,
  lines,
  parcels,
}: Pick<Unversioned, 'status' | 'lines' | 'parcels'>): Status => {
  if (!derived.has(status)) return status;
  const any = (units: (quantities: (typeof lines)[number]['quantities']) => number) =>
    lines.some(({ quantities }) => units(quantities) > 0);
  if (!any(({ received, missing }) => received + missing)) return isMoving(parcels) ? 'in_transit' : 'approved';
  if (any(outstanding)) return 'partially_received';
  return any(uninspected) ? 'received' : 'inspected';
};
