import Type from 'typebox';
import { flags, sorts, statuses, views } from './closed-lists.ts';
import { LineReasonCode } from './return-line.ts';
import { PersonName } from './return.ts';
import { NextStep, Party, refundStatus, returnHead, returnTimes, tags } from './return-head.ts';
import {
  about,
  ActorUser,
  closed,
  Instant,
  matching,
  MoneySum,
  oneOf,
  PathId,
  orNull,
  PageQuery,
  Platform,
  PlatformId,
  RmaNumber,
  text,
  UserId,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Flag = oneOf(...flags);

const Amounts = closed(
  {
    worth: about(MoneySum, 'The most that refunds may pay for the goods, before fees.'),
    refunded: about(MoneySum, 'What the customer has, with shipping.'),
    due: about(MoneySum, 'What is booked and unpaid, and what may be booked now for the goods, less fees.'),
  },
  { $id: 'ReturnAmounts', description: 'The money of a return.' },
);

const flagTexts =
  '`discrepancy`: a recorded fact breaks a rule. `unexpected`: a received item belongs to no line and has no disposition. `recovery`: the customer has to give money back. `refund_unknown`: a refund has no known result.';

export const ReturnSummary = closed(
  {
    ...returnHead,
    customerId: optional(
      about(PlatformId, 'The id of the customer at the shop. Absent for a gift, or if it is unknown.'),
    ),
    customer: optional(
      about(
        PersonName,
        'The name and address of the customer. Present only with `include=customer`, and not for a gift.',
      ),
    ),
    quantity: about(Type.Integer({ minimum: 1 }), 'Units of the request, over all lines.'),
    openUnits: about(Type.Integer({ minimum: 0 }), 'Units that wait for a decision, a receipt or an inspection.'),
    refundStatus,
    amounts: about(Amounts, 'The money of the return.'),
    nextStep: optional(about(NextStep, 'The next step. Absent if nothing is left to do.')),
    assignee: optional(about(ActorUser, 'The user who is responsible. Absent for none. `listUsers` has the names.')),
    flags: about(list(Flag), `What a person should look at, each once. ${flagTexts}`),
    skus: about(list(text(200)), 'The SKUs of the lines, each once.'),
    reasons: about(list(LineReasonCode), 'The reasons of the lines, each once.'),
    dueAt: optional(about(Instant, 'The first open deadline. Absent if no deadline is open.')),
    tags,
    ...returnTimes,
  },
  { $id: 'ReturnSummary', description: 'A return in a list.' },
);

export const ReturnList = closed(
  {
    items: about(list(ReturnSummary), 'The returns of the page.'),
    nextCursor: about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.'),
  },
  {
    $id: 'ReturnList',
    description:
      'A page of returns. The list is eventually consistent. A page can be short or empty although a next page exists.',
  },
);

const View = oneOf(...views);

const ViewCount = closed(
  {
    name: about(View, 'The view, as `listReturns` takes it.'),
    count: about(Type.Integer({ minimum: 0 }), 'The returns of the view.'),
    capped: about(Type.Boolean(), 'Whether the view may have more returns than `count`.'),
    oldestAt: optional(about(Instant, 'When the oldest counted return was created. Absent for an empty view.')),
  },
  { $id: 'ViewCount', description: 'The number of returns in a saved view.' },
);

export const ViewCounts = closed(
  {
    views: about(list(ViewCount), 'All views, in the order of the work.'),
    at: about(Instant, 'When the returns were counted.'),
  },
  { $id: 'ViewCounts', description: 'The numbers of returns in the saved views. They are eventually consistent.' },
);

const anyStatus = `(${statuses.join('|')})`;

/** The filters of a list: a return must match all of them. `orderId` requires `platform`. */
export const ReturnQuery = closed({
  status: optional(
    Type.String(
      matching(
        `^${anyStatus}(,${anyStatus}){0,${statuses.length - 1}}$`,
        `a list of statuses (${statuses.join(', ')}), separated by commas, such as received,inspected`,
      ),
    ),
  ),
  open: optional(Type.Boolean()),
  nextBy: optional(Party),
  assignee: optional(UserId),
  assigned: optional(Type.Boolean()),
  flag: optional(Flag),
  view: optional(View),
  platform: optional(Platform),
  orderId: optional(PathId),
  orderNumber: optional(text(100)),
  customerId: optional(PlatformId),
  rmaNumber: optional(RmaNumber),
  trackingNumber: optional(text(100)),
  externalRef: optional(
    Type.String(matching('^[a-z][a-z0-9_-]{0,39}:[\\x21-\\x7e]{1,200}$', 'a platform and an id such as shopify:1001')),
  ),
  sku: optional(text(200)),
  reason: optional(LineReasonCode),
  createdFrom: optional(Instant),
  updatedFrom: optional(Instant),
  overdue: optional(Type.Boolean()),
  dueBefore: optional(Instant),
  sort: optional(Type.Unsafe<(typeof sorts)[number]>({ type: 'string', enum: [...sorts] })),
  include: optional(oneOf('customer')),
  ...PageQuery.properties,
});
