import { at } from '../example-story.ts';
import type { Output } from '../schemas.ts';

const freshness = { counted: at.decided, changed: at.decided };

const figures = {
  returns: 1,
  units: { requested: 1, approved: 1, received: 0, accepted: 0 },
  refunded: [],
  due: [{ amount: 1999, currency: 'EUR' }],
};

const summary: Output<'getSummary'> = {
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

const analytics: Output<'getAnalytics'> = {
  groupBy: 'sku',
  requestedFrom: '2026-11-01',
  requestedTo: '2026-11-30',
  items: [{ value: 'SHIRT-M', ...figures }],
  freshness,
};

export const statisticsExamples = {
  getSummary: { body: {}, output: summary },
  getAnalytics: { body: {}, output: analytics },
} as const;
