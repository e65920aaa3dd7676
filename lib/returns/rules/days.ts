import type { Instant } from '../model/order.ts';

const dayMs = 24 * 3600 * 1000;

/** The instant that many days of 24 hours later. The one file of the domain that may use `Date`. */
export const addDays = (instant: Instant, days: number): Instant =>
  new Date(Date.parse(instant) + days * dayMs).toISOString();
