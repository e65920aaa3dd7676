import Type from 'typebox';
import { LineReasonCode } from './return-line.ts';
import { refundStatus, returnHead, returnTimes, Status, tags } from './return.ts';
import {
  about,
  closed,
  Instant,
  matching,
  PathId,
  orNull,
  PageQuery,
  Platform,
  PlatformId,
  RmaNumber,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const ReturnSummary = closed(
  {
    ...returnHead,
    customerId: optional(
      about(PlatformId, 'The id of the customer at the shop. Absent for a gift, or if it is unknown.'),
    ),
    quantity: about(Type.Integer({ minimum: 1 }), 'Units of the request, over all lines.'),
    refundStatus,
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

/** The filters of a list: a return must match all of them. `orderId` requires `platform`. */
export const ReturnQuery = closed({
  status: optional(Status),
  platform: optional(Platform),
  orderId: optional(PathId),
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
  sort: optional(
    Type.Unsafe<'createdAt' | 'updatedAt' | 'dueAt'>({ type: 'string', enum: ['createdAt', 'updatedAt', 'dueAt'] }),
  ),
  ...PageQuery.properties,
});
