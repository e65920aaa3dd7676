import { reconcile } from '../../lib/inbox/reconcile.ts';
import { translators } from '../../lib/platforms/translators.ts';

export const handler = reconcile(translators);
