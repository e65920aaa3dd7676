import type { Instant } from '../returns/model/order.ts';

/** An instant as `Date` writes it: such compare as text. */
export const inMilliseconds = (given: Instant): Instant => new Date(given).toISOString();
