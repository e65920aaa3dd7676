import { receive } from '../../lib/inbox/receive.ts';
import { receiver } from '../../lib/platforms/shopify.ts';

export const handler = receive(receiver);
