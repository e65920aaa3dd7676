import { sweepInbox } from '../../lib/inbox/sweep.ts';

export const handler = sweepInbox;
