import type { MissingUnits } from './goods.ts';

/** Takes up to `units` that are not honoured out of what is missing, of the causes that `which` admits, the last ones first. */
export const takeMissing = (
  missing: readonly MissingUnits[],
  units: number,
  which: (cause: MissingUnits['cause']) => boolean = () => true,
): readonly MissingUnits[] => {
  let left = units;
  return missing
    .toReversed()
    .map((one) => {
      const taken = which(one.cause) ? Math.min(left, one.quantity - one.granted) : 0;
      left -= taken;
      return { ...one, quantity: one.quantity - taken };
    })
    .filter(({ quantity }) => quantity > 0)
    .toReversed();
};
