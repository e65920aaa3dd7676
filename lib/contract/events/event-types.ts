/** The prefix of types in the documents that the build writes. Each deployment has its own in what it serves. */
export const examplePrefix = 'com.example.returns';

/**
 * The types of events, without the prefix that they have on the wire: what histories of returns tell, and what policies,
 * jobs and endpoints have to tell.
 */
export const eventTypes = [
  'attachment.added',
  'decision.renewed',
  'discrepancy.found',
  'exchange.cancelled',
  'exchange.fulfilled',
  'exchange.ordered',
  'exchange.requested',
  'fee.waived',
  'history.anchored',
  'inspection.recorded',
  'items.granted',
  'items.missing',
  'items.received',
  'items.unexpected',
  'note.added',
  'parcel.added',
  'parcel.updated',
  'policy.archived',
  'policy.published',
  'policy.superseded',
  'privacy.erased',
  'recovery.recorded',
  'recovery.written_off',
  'refund.cancelled',
  'refund.due_soon',
  'refund.failed',
  'refund.overdue',
  'refund.recorded',
  'refund.requested',
  'refund.reversed',
  'refund.submitted',
  'refund.succeeded',
  'refund.unknown',
  'return.approved',
  'return.cancelled',
  'return.completed',
  'return.corrected',
  'return.expired',
  'return.info_provided',
  'return.info_requested',
  'return.rejected',
  'return.reopened',
  'return.requested',
  'return.updated',
  'summary.daily',
  'webhook_endpoint.disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Of a type or a pattern, what stands before the dot. */
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

/** What an endpoint may ask for: a type, `refund.*` for all that begin so, `*` for all. */
export type EventPattern = EventType | `${GroupOf<EventType>}.*` | '*';

/** All patterns that mean something. */
export const eventPatterns = (): readonly EventPattern[] => [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*` as `${GroupOf<EventType>}.*`)),
  ...eventTypes,
];
