import type { MissingUnits } from '../model/goods.ts';
import { takeInTurn } from './take-in-turn.ts';

type Missing = readonly MissingUnits[];

/** Units of an entry that are not honoured. */
export const unhonoured = ({ quantity, granted }: MissingUnits): number => quantity - granted;

const less = (one: MissingUnits, taken: number): MissingUnits => ({ ...one, quantity: one.quantity - taken });

const left = (missing: Missing): Missing => missing.filter(({ quantity }) => quantity > 0);

/** What is missing once units came that are not honoured, the first ones first. */
export const withoutLate = (missing: Missing, units: number): Missing =>
  left(takeInTurn(missing, units, unhonoured, less));

/** What is missing once units of it are honoured, the first ones first. */
export const withHonoured = (missing: Missing, units: number): Missing =>
  takeInTurn(missing, units, unhonoured, (one, honoured) => ({ ...one, granted: one.granted + honoured }));

/** Takes up to `units` that are not honoured, of causes that `which` admits, out of what is missing: the last ones first. */
export const takeMissing = (
  missing: Missing,
  units: number,
  which: (cause: MissingUnits['cause']) => boolean = () => true,
): Missing =>
  left(takeInTurn(missing.toReversed(), units, (one) => (which(one.cause) ? unhonoured(one) : 0), less).toReversed());
