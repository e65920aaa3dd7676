import Type from 'typebox';
import { RefundStatus, Status } from '../returns/return-head.ts';
import { about, closed, Instant, matching, MoneySum, oneOf, orNull } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Total = Type.Integer({ minimum: 0 });

/** A day such as `2026-11-21`. */
export const day = (year: string) =>
  Type.String({
    ...matching(`^${year}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$`, 'a day such as 2026-11-21'),
    examples: ['2026-11-21'],
  });
const Day = day('\\d{4}');
const RequestedDay = day('2\\d{3}');

const GroupBy = oneOf('status', 'reason', 'sku', 'channel', 'day', 'month');

const Freshness = closed(
  {
    counted: optional(
      about(Instant, 'The time of the newest change that the figures include. Absent while they include none.'),
    ),
    changed: optional(
      about(Instant, 'The time of the newest change of any return. Absent while there are no returns.'),
    ),
  },
  {
    $id: 'Freshness',
    description: 'How current the figures are. The two times are equal when the figures include all changes.',
  },
);

const money = {
  refunded: about(list(MoneySum), 'The money paid to customers, less the money they paid back. One sum per currency.'),
  due: about(
    list(MoneySum),
    'The money that is booked and not paid yet, and the money that may be booked by now. One sum per currency.',
  ),
};

const Units = closed({
  requested: about(Total, 'Units that customers requested to return.'),
  approved: about(Total, 'Units that were approved.'),
  received: about(Total, 'Units that arrived.'),
  accepted: about(Total, 'Units that were accepted, after the inspection where there is one.'),
});

const figures = {
  returns: about(Total, 'The number of returns.'),
  units: about(Units, 'The number of units.'),
  ...money,
};

export const Summary = closed(
  {
    returns: about(Total, 'The number of all returns.'),
    open: about(Total, 'The number of returns whose status is not final.'),
    statuses: about(
      list(
        closed({
          status: about(Status, 'The status of the returns.'),
          returns: about(Total, 'The number of returns with this status.'),
        }),
      ),
      'The returns by status. A status without returns is left out.',
    ),
    refundStatuses: about(
      list(
        closed({
          refundStatus: about(RefundStatus, 'The refund status of the returns.'),
          returns: about(Total, 'The number of returns with this refund status.'),
        }),
      ),
      'The returns by refund status. A refund status without returns is left out.',
    ),
    overdue: about(
      closed({
        count: about(Total, 'The number of overdue returns, at most 1,000.'),
        atLeast: about(Type.Boolean(), 'Whether there are more overdue returns than `count`.'),
      }),
      'The returns whose first open deadline has passed.',
    ),
    requested: about(
      closed({
        today: about(Total, 'Returns requested today.'),
        last7Days: about(Total, 'Returns requested in the last 7 days, today included.'),
        last30Days: about(Total, 'Returns requested in the last 30 days, today included.'),
      }),
      'The returns by the day of their request, in UTC.',
    ),
    ...money,
    freshness: about(Freshness, 'How current the figures are.'),
  },
  { $id: 'Summary', description: 'The figures of all returns as they are now.' },
);

/** The dimension, and the days of the requests to aggregate, both included. */
export const AnalyticsQuery = closed({
  groupBy: GroupBy,
  requestedFrom: optional(RequestedDay),
  requestedTo: optional(RequestedDay),
  sort: optional(oneOf('returns', 'units', 'value')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
});

const AnalyticsItem = closed(
  {
    value: about(
      orNull(Type.String()),
      'The value of the dimension, such as a SKU or a day. null for returns or lines without a value.',
    ),
    ...figures,
  },
  { $id: 'AnalyticsItem', description: 'The figures of the returns with one value of the dimension.' },
);

const Rest = closed({ values: about(Total, 'The number of values that are not in `items`.'), ...figures });

export const Analytics = closed(
  {
    groupBy: about(GroupBy, 'The dimension.'),
    requestedFrom: about(Day, 'The first day of the requests, in UTC, included.'),
    requestedTo: about(Day, 'The last day of the requests, in UTC, included.'),
    items: about(list(AnalyticsItem), 'The first values in the requested order, at most `limit`.'),
    rest: optional(about(Rest, 'The figures of all other values together. Absent where `items` has all values.')),
    freshness: about(Freshness, 'How current the figures are.'),
  },
  { $id: 'Analytics', description: 'The figures of the returns of a period, by one dimension.' },
);
