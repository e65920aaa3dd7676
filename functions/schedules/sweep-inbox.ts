import { sweepInbox } from '../../lib/shops/inbox/sweep.ts';

export const handler = sweepInbox;
