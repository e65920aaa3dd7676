import type Type from 'typebox';
import { reading } from '../entry.ts';
import { at } from '../example-story.ts';
import { Analytics, AnalyticsQuery, Summary } from './statistics.ts';

const freshness = { counted: at.decided, changed: at.decided };

const figures = {
  returns: 1,
  units: { requested: 1, approved: 1, received: 1, accepted: 1 },
  refunded: [],
  due: [{ amount: 1999, currency: 'EUR' }],
};

const summary: Type.Static<typeof Summary> = {
  returns: 1,
  open: 1,
  statuses: [{ status: 'inspected', returns: 1 }],
  refundStatuses: [{ refundStatus: 'due', returns: 1 }],
  overdue: { count: 0, atLeast: false },
  requested: { today: 1, last7Days: 1, last30Days: 1 },
  refunded: [],
  due: figures.due,
  freshness,
};

const analytics: Type.Static<typeof Analytics> = {
  groupBy: 'sku',
  requestedFrom: '2026-11-01',
  requestedTo: '2026-11-30',
  items: [{ value: 'SHIRT-M', ...figures }],
  freshness,
};

/* The operations that aggregate returns. */

export const getSummary = reading({
  path: '/summary',
  scope: 'returns:admin',
  summary: 'Count returns as they are now',
  description:
    'The figures come from counters. The service updates the counters a few seconds after a return changes: `freshness` shows the delay.\n\n`due` is the money that is booked and not paid yet. It includes the money that may be booked by now for the goods, less fees.\n\nIn standalone mode a request costs at most 300 read units, for any number of returns. Most of them are for the overdue returns.',
  answers: Summary,
  example: { output: summary },
});

export const getAnalytics = reading({
  path: '/analytics',
  scope: 'returns:admin',
  summary: 'Aggregate returns by a dimension',
  description:
    'The period has at most 92 days with `groupBy=day`, and otherwise at most 1,827 days. Without `requestedFrom` it is the last 30 days, or the last twelve months with `groupBy=month`.\n\nThe figures come from the same counters as `getSummary`. A return counts on the day of its request (`requestedAt`, in UTC). Its later figures count on that day too.\n\n- Days and months without returns are left out.\n- With `sku` and `reason`, a return counts once for each of its values. Units and money are those of the lines with the value. The money excludes shipping and is before fees.\n- A SKU is the one of the line.\n\nThe counters have 8 partitions. More than 4 MiB of counters in one partition fail with `max_items`: request fewer days.',
  query: AnalyticsQuery,
  answers: Analytics,
  example: { output: analytics },
});
