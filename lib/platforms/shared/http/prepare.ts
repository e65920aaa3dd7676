import type { Result } from '../../../contract/result.ts';
import type { Prepared, Seen, ShopFailure, Translator, Untold } from '../../platform.ts';
import type { Shop } from './api.ts';
import { unprepared } from './shop-failure.ts';

type Told = { readonly kind: string };

const isUntold = (subject: Told): subject is Untold => subject.kind === 'parked' || subject.kind === 'ignored';

/** How a platform's deliveries are understood. */
type Understanding<Subject extends Told> = {
  /** Reads a delivery, and asks nobody. */
  readonly translate: (topic: string, body: unknown) => Subject | Untold;
  /** Gives undefined where there is nothing to be followed or booked. */
  readonly see: (shop: Shop, subject: Subject) => Promise<Result<Seen | undefined, ShopFailure>>;
  /**
   * The reason by which a delivery about such is ignored.
   * @default 'nothing_returned'
   */
  readonly nothing?: string;
};

/** Prepares a delivery as most platforms do: what it is about is read from it, and how that stands now is asked for. */
export const prepareBy = async <Subject extends Told>(
  { translate, see, nothing = 'nothing_returned' }: Understanding<Subject>,
  { source, topic, body }: Parameters<Translator['prepare']>[0],
  deadline: number,
): Promise<Prepared> => {
  const subject = translate(topic, body);
  if (isUntold(subject)) return subject;
  const seen = await see({ source, deadline }, subject);
  if (!seen.ok) return unprepared(seen.failure);
  return seen.value ?? { kind: 'ignored', reason: nothing };
};
