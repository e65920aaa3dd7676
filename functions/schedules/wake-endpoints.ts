import { notifyLaggingSubscriptions } from '../../lib/service/outbox/notify-lagging-subscriptions.ts';

export const handler = notifyLaggingSubscriptions;
