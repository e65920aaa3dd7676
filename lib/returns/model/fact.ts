import type { Instant } from './order.ts';

/** Where a platform that manages a return tells of something, and when it happened there. */
export type Observation = { readonly platform: string; readonly externalId: string; readonly occurredAt: Instant };

/** Why an admin goes below what the law gives, as a code. */
export type FloorOverride = { readonly reason: string };
