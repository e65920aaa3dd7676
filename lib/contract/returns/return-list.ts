import Type from 'typebox';
import { LineReasonCode, RefundStatus, returnHead, Status } from './return.ts';
import {
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

/** What a list tells of a return; `quantity` is the units asked for, `skus` and `reasons` name each once, `dueAt` is the first deadline to be met. */
const ReturnSummary = closed(
  {
    ...returnHead,
    customerId: optional(PlatformId),
    quantity: Type.Integer({ minimum: 1 }),
    refundStatus: RefundStatus,
    skus: list(text(200)),
    reasons: list(LineReasonCode),
    dueAt: optional(Instant),
    tags: list(text(100)),
    requestedAt: Instant,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'ReturnSummary' },
);

/** A page of returns, eventually consistent; it may be short, or empty, and still have a next one. */
export const ReturnList = closed(
  { items: list(ReturnSummary), nextCursor: orNull(Type.String()) },
  { $id: 'ReturnList' },
);

/** Filters narrow together. `orderId` needs `platform`; `externalRef` is `<platform>:<id>`. */
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
