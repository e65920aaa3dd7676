import { receive } from '../../lib/inbox/receive.ts';
import { receivers } from '../../lib/platforms/receivers.ts';

export const handler = receive(receivers);
