import { reconcile } from '../../lib/shops/inbox/reconcile.ts';
import { translators } from '../../lib/shops/platforms/translators.ts';

export const handler = reconcile(translators);
