import type Type from 'typebox';
import { reading } from '../entry.ts';
import { at } from '../example-story.ts';
import { Analytics, AnalyticsQuery, Summary } from './statistics.ts';

const freshness = { counted: at.decided, changed: at.decided };

const figures = {
  returns: 1,
  units: { requested: 1, approved: 1, received: 0, accepted: 0 },
  refunded: [],
  due: [{ amount: 1999, currency: 'EUR' }],
};

const summary: Type.Static<typeof Summary> = {
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
    'From counters that are kept as returns change, a few seconds later: `freshness` tells how far they are. `due` is what is booked and not paid yet, and what may be booked by now for the goods, less fees. In the standalone mode it costs at most 300 read units, most of them for the overdue, whatever number of returns there is.',
  answers: Summary,
  example: { output: summary },
});

export const getAnalytics = reading({
  path: '/analytics',
  scope: 'returns:admin',
  summary: 'Sum up returns by what they are told apart by',
  description:
    'From the same counters, by the day on which a return was asked for (`requestedAt`, in UTC): what a return has come to since counts on that day. From 30 days ago, with `groupBy=month` from twelve months ago; at most 92 days by `day`, else 1,827. Days and months without returns are left out. By `sku` and `reason` a return is counted with each that it has, units and money are those of its lines: money without shipping and before fees; a SKU is that of the line. More than 4 MiB of counters in one of their 8 parts are refused with `max_items`: ask for fewer days.',
  query: AnalyticsQuery,
  answers: Analytics,
  example: { output: analytics },
});
