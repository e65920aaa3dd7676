import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import type { Signed } from '../support.ts';

/** What a shop sends: by HTTP, to a path below `/webhooks/`, or by AWS. */
export type SentEvent =
  | (Signed & { readonly by: 'http'; readonly path: string })
  | { readonly by: 'queue' | 'bus'; readonly message: object };

/** An event in a shop, and the state of the service after its delivery. */
export type Step = {
  readonly happens: () => SentEvent;
  /** The order by its platform and id, and the expected facts. */
  readonly order: { readonly platform: string; readonly orderId: string; readonly facts?: object };
  /** The expected return; absent without a return. */
  readonly return?: object;
  /** Money without a return: exactly the input of `recordRefund`. */
  readonly refund?: { readonly externalId: string; readonly facts: object };
};

/** A shop of a platform at its wire. It sends to each mode, with separate data for each. */
export type Shop = {
  readonly platform: string;
  /** The content of the platform's secret; absent where the stack's secret already has it. */
  readonly sources?: Readonly<Record<string, object>>;
  /** The headers that prove a delivery; empty where no header does. */
  readonly proofs: readonly string[];
  readonly life: (mode: Mode) => readonly Step[];
  readonly close: () => PromiseLike<void>;
};

/**
 * Returns the platform of orders in the entry of a mode.
 * The same number is another order in each mode. The name is short, because tests search all output for longer texts of
 * a secret.
 */
export const orderPlatform = (platform: string, mode: Mode): string => `${platform}-${modes.indexOf(mode)}`;

/** Returns one entry per mode, under its name, for a platform whose shops number their orders from 1. */
export const ofEachWay = (platform: string, entry: object): Record<string, object> =>
  Object.fromEntries(modes.map((mode) => [mode, { ...entry, orderPlatform: orderPlatform(platform, mode) }]));
