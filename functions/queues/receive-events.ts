import { ingestEvents } from '../../lib/shops/inbox/ingest-events.ts';
import { receivers } from '../../lib/shops/platforms/receivers.ts';

export const handler = ingestEvents(receivers);
