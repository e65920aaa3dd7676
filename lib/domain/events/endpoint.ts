import { canonicalJson } from '../returns/history/canonical-json.ts';
import type { Instant } from '../returns/model/order.ts';

/** Why an endpoint is disabled: it responded with 410, it failed for 72 hours, or an administrator disabled it. */
export type Disabled = { readonly at: Instant; readonly reason: 'gone' | 'failing' | 'requested' };

/** A receiver of events. */
export type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly description?: string;
  /** Types without their prefix, `refund.*` for all that begin so, `*` for all. */
  readonly eventTypes: readonly string[];
  readonly disabled?: Disabled;
  /** The time at which it was last enabled. */
  readonly enabledAt?: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Counts its changes. */
  readonly version: number;
  /** The validity of its secrets, newest first. Readers of the endpoint have no access to the secrets. */
  readonly secrets?: readonly SecretTerm[];
  /** The end offset of each partition at the creation: the endpoint gets only later events. */
  readonly begins: readonly number[];
};

/** A key that signs deliveries: `whsec_` and base64. `expiresAt` is set when another key has replaced it. */
export type EndpointSecret = { readonly secret: string; readonly createdAt: Instant; readonly expiresAt?: Instant };

/** The public fields of a secret. */
export type SecretTerm = Omit<EndpointSecret, 'secret'>;

/** The outcome of an attempt to deliver. */
export type Attempt = {
  readonly at: Instant;
  readonly ms: number;
  /** The status of the response, if any. */
  readonly status?: number;
  /**
   * The reason for a missing or invalid response: `timeout`, `connect`, `reset`, `too_large`, `address_forbidden`, …
   */
  readonly error?: string;
  /** The beginning of the response, as text. */
  readonly response?: string;
  readonly redelivery?: true;
};

/** The delivery of an event to an endpoint. */
export type WebhookDelivery = {
  readonly endpointId: string;
  readonly eventId: string;
  readonly place: string;
  readonly sequence: number;
  readonly type: string;
  readonly status: 'delivered' | 'retrying' | 'failed';
  /** The last attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly updatedAt: Instant;
};

/** Whether an endpoint subscribes to an event type, which is given without its prefix. */
export const subscribesTo = ({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean =>
  eventTypes.some((wanted) => (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type));

/**
 * Whether a failure streak began before the endpoint was enabled again, and so no longer counts. A wrong clock may have
 * written an enabling time in the future. Such a time is ignored, else it would excuse all failures until then.
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

/** The fields to change (RFC 7396). */
type EndpointPatch = {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
};

/** An endpoint that is already disabled retains its reason. */
const disabledOf = ({ disabled }: Endpoint, enabled: boolean | undefined, at: Instant): Endpoint['disabled'] => {
  if (enabled === true) return undefined;
  return enabled === false ? (disabled ?? { at, reason: 'requested' }) : disabled;
};

/** Applies a patch and increments the version. Returns the same endpoint when nothing changes. */
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
