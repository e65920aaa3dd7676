import { ingestEvents } from '../../lib/inbox/ingest-events.ts';
import { receivers } from '../../lib/platforms/receivers.ts';

export const handler = ingestEvents(receivers);
