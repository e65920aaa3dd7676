/* The words of the OpenAPI document that are about no single operation. */

/** What whoever calls must know of all operations. */
export const introduction = `Returns of units of orders, from the request to its decision and what comes of it, with their history.

- JSON in UTF-8: half a surrogate pair in a text is refused with 400, and so is a field or a query parameter that the
  operation does not know.
- Times are RFC 3339. A request may have any offset, such as \`+01:00\` (in a query, \`%2B\`
  stands for the plus). The service stores the time in UTC and answers it with \`Z\`. Amounts are integer minor units of their currency (ISO 4217).
- A POST that stores needs an \`Idempotency-Key\`. Commands take \`dryRun\`: all checks, nothing stored.
- Refusals are problems (RFC 9457) with a stable \`code\`. What API Gateway refuses itself has its own body,
  \`{"message": …}\`, and is JSON without being a problem.
- Answers to commands leave out the customer and what people wrote; reading a return or an order tells it.`;

/** By the first step of a path. */
export const tags: Readonly<Record<string, string>> = {
  analytics: 'What returns come to over a time',
  decisions: 'What policies decided, and why',
  events: 'What happened, to be read in order',
  inbox: 'Webhooks that shops sent to this deployment, and what became of them',
  jobs: 'Long pieces of work, which go on when their request is answered',
  orders: 'What shops sold, as far as returns must know it',
  policies: 'The rules by which returns are decided, in versions',
  quotes: 'What refunds would come to',
  reasons: 'Why things come back, and what each reason takes',
  returns: 'Returns, the commands that move them, and their history',
  service: 'The service itself',
  summary: 'What returns come to now',
  'webhook-endpoints': 'Where events are sent to, and what became of them',
};

/** Parameters of paths and queries, by name; by operation and name where one means something else there. */
export const parameters: Readonly<Record<string, string>> = {
  platform: 'The platform that the order is of',
  orderId: "The order's id at its platform",
  externalId: "The refund's id at the platform",
  returnId: 'The id of the return',
  parcelId: 'The id of the parcel',
  refundId: 'The id of the refund',
  exchangeId: 'The id of the exchange',
  decisionId: 'The id of the decision',
  jobId: 'The id of the job',
  deliveryKey: 'The key of the delivery, as a list tells it',
  source: 'Only those of this shop',
  receivedFrom: 'Only deliveries that were received at this time or later',
  type: 'The fee',
  endpointId: 'The id of the endpoint',
  eventId: 'The id of the event',
  'listWebhookDeliveries.type': 'Only events of this type',
  'listWebhookDeliveries.from': 'Only events that happened at this time or later',
  code: 'The reason: `group.reason`, or a group alone',
  active: 'Only reasons that new returns may give; with `false` only the others',
  policyId: 'The id of the policy',
  version: 'The number of the version',
  from: 'The number of the version to compare',
  to: 'The number of the version to compare it to',
  start: 'Where to begin without a cursor: with the oldest event that is kept, or with what happens from now on',
  limit: 'The most items on a page',
  cursor: 'The `nextCursor` of the page before',
  asOf: 'A time from the creation of the return until now: the return as it was recorded then, without ETag and `allowedActions`',
  status: 'Only those in this status',
  kind: 'Only jobs of this kind',
  customerId: "Only returns of this customer, by the shop's id",
  rmaNumber: 'Only the return with this number',
  trackingNumber: 'Only returns with a parcel of this tracking number, exactly as it was told',
  externalRef: 'Only the return with this reference: `<platform>:<id>`',
  sku: 'Only returns with a line of this SKU. It narrows what other filters find, so that pages may be short',
  reason: 'Only returns with a line that has this reason code. It narrows what other filters find, as `sku` does',
  groupBy: 'What returns are told apart by',
  requestedFrom: 'The first day of requests, in UTC',
  requestedTo: 'The last day of requests, in UTC; today where it is left out',
  'getAnalytics.sort':
    'Which items come first: those with most `returns`, with most `units` requested, or by `value`. Left out it is `value` for days and months, `returns` otherwise',
  createdFrom: 'Only returns that were created at this time or later',
  updatedFrom: 'Only returns that were changed last at this time or later',
  overdue:
    'Only returns of which the first open deadline, `dueAt`, has passed; with `false` only the others, narrowing what other filters find',
  dueBefore: 'Only returns of which the first open deadline, `dueAt`, is before this time',
  sort: 'By creation, by the last change or by the deadline, the latest first; `dueAt` needs `overdue=true` or `dueBefore`. With `orderId`, `customerId` or `trackingNumber` only by creation. Left out it is `dueAt` with one of those where that may be, `createdAt` otherwise',
};

export const scopes = {
  'returns:read': 'Read orders, returns and their history, and policies',
  'returns:write': 'Register orders, create returns and move them',
  'returns:admin':
    'Manage policies and webhook endpoints, open returns again, correct them, and overrides on top of what the other scopes open',
};
