import { backend } from '../../../../lib/shops/inbox/backend.ts';
import { processInbox } from '../../../../lib/shops/inbox/process.ts';
import { translator as shopify } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { readConfiguration } from '../../../../lib/runtime/container.ts';
import { withInvocation } from '../../../../lib/runtime/invocation.ts';

/* functions/queues/process.ts with one platform, as the build wraps it. */

readConfiguration();
export const handler = withInvocation(processInbox(backend, { shopify }));
