import { canonicalJson } from '../returns/history/canonical-json.ts';
import type { Instant } from '../returns/model/order.ts';

/** Why an endpoint gets nothing: it said that it is gone (410), it failed for 72 hours, or an administrator wants so. */
export type Disabled = { readonly at: Instant; readonly reason: 'gone' | 'failing' | 'requested' };

/** Where events are sent to. */
export type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly description?: string;
  /** Types without their prefix, `refund.*` for all that begin so, `*` for all. */
  readonly eventTypes: readonly string[];
  readonly disabled?: Disabled;
  /** When it was last enabled again. */
  readonly enabledAt?: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Counts its changes. */
  readonly version: number;
  /** Since when and until when its secrets sign, the newest first: readers of the endpoint may not reach the secrets. */
  readonly secrets?: readonly SecretTerm[];
  /** How many stood in each of the logs when it was made: what happened before is not for it. */
  readonly begins: readonly number[];
};

/** A key that deliveries are signed with: `whsec_` and base64. `expiresAt` once another has taken its place. */
export type EndpointSecret = { readonly secret: string; readonly createdAt: Instant; readonly expiresAt?: Instant };

/** What may be told of a secret. */
export type SecretTerm = Omit<EndpointSecret, 'secret'>;

/** How an attempt to deliver ended. */
export type Attempt = {
  readonly at: Instant;
  readonly ms: number;
  /** Of the answer, where there was one. */
  readonly status?: number;
  /** Why there was no usable answer: `timeout`, `connect`, `reset`, `too_large`, `address_forbidden`, … */
  readonly error?: string;
  /** What the answer began with, as text. */
  readonly response?: string;
  readonly redelivery?: true;
};

/** An event for an endpoint, and what became of it. */
export type WebhookDelivery = {
  readonly endpointId: string;
  readonly eventId: string;
  readonly place: string;
  readonly sequence: number;
  readonly type: string;
  readonly status: 'delivered' | 'retrying' | 'failed';
  /** The last ones, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly updatedAt: Instant;
};

/** Whether an endpoint wants events of a type, which is given without its prefix. */
export const subscribesTo = ({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean =>
  eventTypes.some((wanted) => (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type));

/**
 * Whether failures since some time are of before the endpoint was enabled again: they count no more. One that was enabled
 * in a future, by a clock that was wrong, would forgive all that fails until then.
 *
 * @param since epoch milliseconds, as is `now`
 */
export const failedBeforeEnabling = (
  { enabledAt }: Pick<Endpoint, 'enabledAt'>,
  since: number | undefined,
  now: number,
): boolean => {
  const at = enabledAt === undefined ? Number.NaN : Date.parse(enabledAt);
  return since !== undefined && since < at && at <= now;
};

/** What is to be otherwise (RFC 7396). */
type EndpointPatch = {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
};

/** One that is disabled already stays so for its reason. */
const disabledOf = ({ disabled }: Endpoint, enabled: boolean | undefined, at: Instant): Endpoint['disabled'] => {
  if (enabled === true) return undefined;
  return enabled === false ? (disabled ?? { at, reason: 'requested' }) : disabled;
};

/** An endpoint as a patch makes it, in its next version; the same one where that changes nothing. */
export const patchEndpoint = (endpoint: Endpoint, patch: EndpointPatch, at: Instant): Endpoint => {
  const { description: before, disabled: _, ...rest } = endpoint;
  const description = patch.description === undefined ? before : (patch.description ?? undefined);
  const disabled = disabledOf(endpoint, patch.enabled, at);
  const next: Endpoint = {
    ...rest,
    url: patch.url ?? endpoint.url,
    eventTypes: patch.eventTypes ?? endpoint.eventTypes,
    ...(description === undefined ? {} : { description }),
    ...(disabled === undefined ? {} : { disabled }),
  };
  if (canonicalJson(next) === canonicalJson(endpoint)) return endpoint;
  const isEnabledAgain = endpoint.disabled !== undefined && disabled === undefined;
  return { ...next, ...(isEnabledAgain && { enabledAt: at }), updatedAt: at, version: endpoint.version + 1 };
};
