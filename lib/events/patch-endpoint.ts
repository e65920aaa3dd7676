import { canonicalJson } from '../returns/history/canonical-json.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Endpoint } from './endpoint.ts';

/** What is to be otherwise (RFC 7396). */
export type EndpointPatch = {
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
