import { purgeInbox } from '../../lib/service/schedules/purge-inbox.ts';

export const handler = purgeInbox;
