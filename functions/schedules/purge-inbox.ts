import { purgeInbox } from '../../lib/schedules/purge-inbox.ts';

export const handler = purgeInbox;
