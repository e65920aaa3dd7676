import type { Quantities } from './return.ts';

/** Units that nobody has decided on. */
export const undecided = ({ requested, approved, rejected }: Quantities): number => requested - approved - rejected;

/** Units that were approved and have neither come back nor been given up. */
export const outstanding = ({ approved, cancelled, returnless, received, missing }: Quantities): number =>
  approved - cancelled - returnless - received - missing;

/** Units that the return is still about: neither rejected nor cancelled. */
export const live = (quantities: Quantities): number =>
  undecided(quantities) + quantities.approved - quantities.cancelled;
