import { ingestWebhook } from '../../lib/inbox/ingest-webhook.ts';
import { receivers } from '../../lib/platforms/receivers.ts';

export const handler = ingestWebhook(receivers);
