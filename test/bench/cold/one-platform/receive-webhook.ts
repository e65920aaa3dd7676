import { ingestWebhook } from '../../../../lib/edge/webhooks/ingest-webhook.ts';
import { receiver as shopify } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { readConfiguration } from '../../../../lib/runtime/container.ts';
import { withInvocation } from '../../../../lib/runtime/invocation.ts';

/* functions/webhooks/receive-webhook.ts with one platform, as the build wraps it. */

readConfiguration();
export const handler = withInvocation(ingestWebhook({ shopify }));
