import { reconcile } from '../../lib/shops/inbox/reconcile.ts';
import { platformSubscriptions } from '../../lib/shops/platforms/subscriptions.ts';
import { translators } from '../../lib/shops/platforms/translators.ts';

export const handler = reconcile(translators, platformSubscriptions);
