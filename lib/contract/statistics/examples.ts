import { at } from '../example-story.ts';
import type Type from 'typebox';
import type { Summary } from './statistics.ts';
import type { Analytics } from './statistics.ts';

const freshness = { counted: at.decided, changed: at.decided };

const figures = {
  returns: 1,
  units: { requested: 1, approved: 1, received: 0, accepted: 0 },
  refunded: [],
  due: [{ amount: 1999, currency: 'EUR' }],
};

export const summary: Type.Static<typeof Summary> = {
  returns: 1,
  open: 1,
  statuses: [{ status: 'approved', returns: 1 }],
  refundStatuses: [{ refundStatus: 'due', returns: 1 }],
  overdue: { count: 0, atLeast: false },
  requested: { today: 1, last7Days: 1, last30Days: 1 },
  refunded: [],
  due: figures.due,
  freshness,
};

export const analytics: Type.Static<typeof Analytics> = {
  groupBy: 'sku',
  requestedFrom: '2026-11-01',
  requestedTo: '2026-11-30',
  items: [{ value: 'SHIRT-M', ...figures }],
  freshness,
};
