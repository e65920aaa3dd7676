import { awsPartition } from '../../runtime/address.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import type { Hook } from '../../shops/platforms/subscription.ts';
import type { Entries } from './given-fields.ts';
import type { ShopStage } from './shop-stage.ts';

type Addressed = Pick<ShopStage, 'region' | 'hooksUrl' | 'outputs' | 'parameters'>;

/** Returns the address to which commercetools sends: it has no webhooks. */
const commercetoolsAddress = (
  { outputs: { EventsQueueUrl }, parameters: { CommercetoolsQueue } }: Addressed,
  { topicArn }: JsonObject,
): string | undefined => {
  if (typeof topicArn === 'string') return topicArn;
  return CommercetoolsQueue === 'on' ? EventsQueueUrl : undefined;
};

const ownAddress = (stage: Addressed, platform: PlatformName, source: string, webhooks: JsonObject) => {
  const { region, hooksUrl, parameters } = stage;
  const { ShopifyEventSource = '', HooksFront } = parameters;
  if (platform === 'commercetools') return commercetoolsAddress(stage, webhooks);
  if (platform === 'shopify' && ShopifyEventSource !== '')
    return `arn:${awsPartition(region)}:events:${region}::event-source/${ShopifyEventSource}`;
  // A front has an address of its own, which only the operator knows.
  return HooksFront === 'on' ? undefined : `${hooksUrl}/webhooks/${platform}/${encodeURIComponent(source)}`;
};

/** The platforms whose webhooks have a secret that we choose. */
const ownSecret: ReadonlySet<PlatformName> = new Set(['vtex', 'woocommerce']);

/**
 * Returns what a shop is to send to, and with which secret.
 *
 * @param given the address that the operator gives
 * @returns undefined where neither the operator nor the stage has an address
 */
export const hookOf = (
  stage: Addressed,
  platform: PlatformName,
  source: string,
  { api, webhooks }: Pick<Entries, 'api' | 'webhooks'>,
  given: unknown,
): Hook | undefined => {
  const address = given ?? ownAddress(stage, platform, source, webhooks) ?? api['hookAddress'];
  if (typeof address !== 'string') return undefined;
  const { webhookSecrets } = webhooks;
  const secret: unknown = ownSecret.has(platform) && Array.isArray(webhookSecrets) ? webhookSecrets[0] : undefined;
  return { address, ...(typeof secret === 'string' && { secret }) };
};
