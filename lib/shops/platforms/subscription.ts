import { addressError } from '../../runtime/address.ts';
import type { Result } from '../../runtime/result.ts';
import type { ShopFailure } from './platform.ts';
import type { SourceEntry } from './shared/http/sources.ts';

/*
 * The subscriptions of a shop: by which the shop reports its changes to us. A platform reads and repairs its own.
 */

/** What a shop reports to us, as an operator wants it. */
export type Hook = {
  /**
   * The address at our hooks API, `https://…/webhooks/<platform>/<source>`, or an ARN where a platform delivers through
   * AWS.
   */
  readonly address: string;
  /** The secret with which the shop signs, where we choose it: of WooCommerce, and the token in the header of VTEX. */
  readonly secret?: string;
};

/** The state of the subscription to a topic at the shop. */
export type SubscriptionState = {
  readonly topic: string;
  /**
   * `disabled`: the shop has stopped it. `differs`: it has another address of our hooks API, or another secret. A
   * repair would change it there.
   */
  readonly state: 'active' | 'missing' | 'disabled' | 'differs';
  /** The address that the shop has, without its query. */
  readonly seen?: string;
};

/** The version of the shop's API that we call. */
export type ApiVersion = {
  readonly version: string;
  readonly isSupported: boolean;
  /** The day on which the platform may end its support. */
  readonly supportedUntil?: string;
};

/** The functions on a platform's subscriptions. */
export type Subscriptions = {
  /**
   * Reads the state of each needed topic. Without `address`, any address counts that ends with our path of platform and
   * source. Without `secret`, any secret counts.
   */
  readonly read: (
    source: string,
    hook: Partial<Hook>,
    deadline: number,
  ) => Promise<Result<readonly SubscriptionState[], ShopFailure>>;
  /**
   * Creates what is missing, enables what is disabled, and corrects what differs. It reads first, and sends each request
   * once. A repeat changes nothing. After a request that the shop rejects, it sends the others, and then fails.
   */
  readonly repair: (source: string, hook: Hook, deadline: number) => Promise<Result<undefined, ShopFailure>>;
  /** Reads whether the shop still supports the version of its API that we call, where the API says so. */
  readonly readApiVersion?: (source: string, deadline: number) => Promise<Result<ApiVersion, ShopFailure>>;
};

const isArn = (text: string): boolean => /^arn:aws[\w-]*:(?:sqs|sns|events):[\w-]+:[\w-]*:[\w./-]+$/.test(text);

/**
 * Reads the hook of one source from its API entry: `hookAddress`, and `hookSecret` where we choose the secret. Undefined
 * where the subscriptions of the shop are not ours to check: an app file, a connector or another team keeps them.
 *
 * @throws an error that names the invalid field and quotes nothing
 */
export const readHook = ({ optionalText, fieldError }: SourceEntry): Hook | undefined => {
  const address = optionalText('hookAddress');
  const secret = optionalText('hookSecret');
  if (address === undefined) return undefined;
  if (!isArn(address) && addressError(address) !== undefined)
    throw fieldError('hookAddress', 'an https address, or the ARN of a queue, a topic or an event source');
  return { address, ...(secret !== undefined && { secret }) };
};
