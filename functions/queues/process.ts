import { backend } from '../../lib/inbox/backend.ts';
import { processInbox } from '../../lib/inbox/process.ts';
import { translators } from '../../lib/platforms/translators.ts';

export const handler = processInbox(backend, translators);
