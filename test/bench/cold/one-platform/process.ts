import { backend } from '../../../../lib/inbox/backend.ts';
import { processInbox } from '../../../../lib/inbox/process.ts';
import { translator as shopify } from '../../../../lib/platforms/shopify/platform.ts';
import { readConfiguration } from '../../../../lib/runtime/container.ts';
import { withInvocation } from '../../../../lib/runtime/invocation.ts';

/* functions/queues/process.ts with one platform, as the build wraps it. */

readConfiguration();
export const handler = withInvocation(processInbox(backend, { shopify }));
