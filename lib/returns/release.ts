import { hold, refundAlone, type Ledger } from './ledger.ts';
import { live } from './quantities.ts';
import type { Line } from './return.ts';

/** Units of a line that were refunded, but that a return with `kept` units of it does not hold. */
const beyond = ({ quantities }: Line, kept: number): number => Math.max(0, quantities.refunded - kept);

/** The ledger after a return lets go of units of a line: free for another return, unless they have been refunded. */
export const release = (ledger: Ledger, line: Line, units: number): Ledger => {
  const before = live(line.quantities);
  const refunded = beyond(line, before - units) - beyond(line, before);
  return refundAlone(hold(ledger, line.orderLineId, -units), line.orderLineId, refunded);
};
