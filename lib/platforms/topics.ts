import type { Lead, Parked, Topics } from './platform.ts';

/** What a delivery comes to that is about nothing of ours, or about nothing that can be told. */
export type Untold = Parked | { readonly kind: 'ignored'; readonly reason: string };

/** Topics all of which may lead to the same. */
export const leadingTo = (topics: Iterable<string>, ...leads: readonly Lead[]): Topics =>
  Object.fromEntries(Array.from(topics, (topic): [string, readonly Lead[]] => [topic, leads]));
