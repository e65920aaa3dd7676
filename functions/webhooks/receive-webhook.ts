import { ingestWebhook } from '../../lib/edge/webhooks/ingest-webhook.ts';
import { receivers } from '../../lib/shops/platforms/receivers.ts';

export const handler = ingestWebhook(receivers);
