import { isOnItsWay, outstanding, type World } from './model.ts';
import { payableUnits, refund } from './money.ts';
import type { Verdict } from './step.ts';
import { expectingIn, more, no, yes } from './verdicts.ts';

/** Takes all outstanding units as received and accepted, and refunds what is due then. */
export const receiveAndRefund = (world: World, admin: boolean): Verdict => {
  const { status, lines, parcels } = world.now;
  if (!expectingIn.includes(status) || lines.every((line) => outstanding(line) === 0)) return no('invalid_transition');
  const came = yes(world, {
    lines: lines.map((line) => more(line, { received: outstanding(line), accepted: outstanding(line) })),
    parcels: parcels.map((parcel) =>
      parcel.direction === 'inbound' && isOnItsWay(parcel)
        ? { ...parcel, status: 'delivered', wasInTransit: true }
        : parcel,
    ),
  });
  if (!came.ok) return came;
  const units = lines.map((_, at) => payableUnits(came.world, at));
  return refund(came.world, { name: 'refund', units }, admin);
};
