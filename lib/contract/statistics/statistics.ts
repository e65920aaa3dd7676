import Type from 'typebox';
import { RefundStatus, Status } from '../returns/return.ts';
import { closed, Instant, matching, MoneySum, oneOf, orNull } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Total = Type.Integer({ minimum: 0 });

/** A day in UTC. */
const day = (year: string) =>
  Type.String({
    ...matching(`^${year}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$`, 'a day such as 2026-11-21'),
    examples: ['2026-11-21'],
  });
const Day = day('\\d{4}');
const AskedDay = day('2\\d{3}');

const GroupBy = oneOf('status', 'reason', 'sku', 'channel', 'day', 'month');

/**
 * `counted` is the time of the newest change that is in the figures, `changed` of the newest that there is: they are the same
 * once nothing is on its way.
 */
const Freshness = closed({ counted: optional(Instant), changed: optional(Instant) }, { $id: 'Freshness' });

/** Money: `refunded` is what customers have been paid, less what came back; `due` is what is booked or may be booked by now. */
const money = { refunded: list(MoneySum), due: list(MoneySum) };

const figures = {
  returns: Total,
  units: closed({ requested: Total, approved: Total, received: Total, accepted: Total }),
  ...money,
};

/**
 * Returns as they are now. `overdue` counts those whose first open deadline has passed, up to 1,000, and says in `atLeast`
 * whether there are more; `requested` those that were asked for today and in the last 7 and 30 days, today among them. Days
 * are those of UTC.
 */
export const Summary = closed(
  {
    returns: Total,
    open: Total,
    statuses: list(closed({ status: Status, returns: Total })),
    refundStatuses: list(closed({ refundStatus: RefundStatus, returns: Total })),
    overdue: closed({ count: Total, atLeast: Type.Boolean() }),
    requested: closed({ today: Total, last7Days: Total, last30Days: Total }),
    ...money,
    freshness: Freshness,
  },
  { $id: 'Summary' },
);

/** Which returns, by the days on which they were asked for, both included; and what they are told apart by. */
export const AnalyticsQuery = closed({
  groupBy: GroupBy,
  requestedFrom: optional(AskedDay),
  requestedTo: optional(AskedDay),
  sort: optional(oneOf('returns', 'units', 'value')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
});

/** What returns of one value come to; `value` is null for those that have none. */
const AnalyticsItem = closed({ value: orNull(Type.String()), ...figures }, { $id: 'AnalyticsItem' });

/** The first items; `rest` sums up all others, so many `values`. */
export const Analytics = closed(
  {
    groupBy: GroupBy,
    requestedFrom: Day,
    requestedTo: Day,
    items: list(AnalyticsItem),
    rest: optional(closed({ values: Total, ...figures })),
    freshness: Freshness,
  },
  { $id: 'Analytics' },
);
