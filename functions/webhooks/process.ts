import { createReturn, registerOrder } from '#backend';
import { processInbox } from '../../lib/inbox/process.ts';
import { shopify } from '../../lib/platforms/shopify.ts';

export const handler = processInbox({ registerOrder, createReturn }, { shopify });
