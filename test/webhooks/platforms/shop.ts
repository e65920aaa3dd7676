import { modes, type Mode } from '../../support/stack.ts';
import type { Signed } from '../support.ts';

/** What a shop says to somebody: by HTTP, at a path below `/webhooks/`, or by AWS. */
export type Told =
  | (Signed & { readonly by: 'http'; readonly path: string })
  | { readonly by: 'queue' | 'bus'; readonly message: object };

/** Something that happens in a shop, and what stands in the service once that was told. */
export type Step = {
  readonly happens: () => Told;
  /** Of which order, by its platform and id, and what is known of it. */
  readonly order: { readonly platform: string; readonly orderId: string; readonly facts?: object };
  /** What is there of the return that was told of; nothing where there is none. */
  readonly return?: object;
  /** Money that is of no return: exactly what `recordRefund` was given. */
  readonly refund?: { readonly externalId: string; readonly facts: object };
};

/** A shop of a platform at its wire, which each mode hears of. What happens in it is other things for each. */
export type Shop = {
  readonly platform: string;
  /** What the platform's secret holds; nothing where it is in the stack's already. */
  readonly sources?: Readonly<Record<string, object>>;
  /** The headers without which a delivery proves nothing; none where none could. */
  readonly proofs: readonly string[];
  readonly life: (mode: Mode) => readonly Step[];
  readonly close: () => PromiseLike<void>;
};

/**
 * The platform of orders in the entry of a mode: the same number is another order in each. It is short: longer texts of a
 * secret are searched for in all that was emitted.
 */
export const orderPlatform = (platform: string, mode: Mode): string => `${platform}-${modes.indexOf(mode)}`;

/** An entry for each mode under its name, of a platform whose shops number their orders from 1. */
export const ofEachWay = (platform: string, entry: object): Record<string, object> =>
  Object.fromEntries(modes.map((mode) => [mode, { ...entry, orderPlatform: orderPlatform(platform, mode) }]));
