import { notifyLaggingSubscriptions } from '../../lib/outbox/notify-lagging-subscriptions.ts';

export const handler = notifyLaggingSubscriptions;
