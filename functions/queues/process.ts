import { backend } from '../../lib/shops/inbox/backend.ts';
import { processInbox } from '../../lib/shops/inbox/process.ts';
import { translators } from '../../lib/shops/platforms/translators.ts';

export const handler = processInbox(backend, translators);
