import { receiveEvents } from '../../lib/inbox/receive-events.ts';
import { receivers } from '../../lib/platforms/receivers.ts';

export const handler = receiveEvents(receivers);
