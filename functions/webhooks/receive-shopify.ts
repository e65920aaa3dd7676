import { receive } from '../../lib/inbox/receive.ts';
import { shopify } from '../../lib/platforms/shopify.ts';

export const handler = receive(shopify);
