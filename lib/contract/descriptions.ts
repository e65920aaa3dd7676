import { errorTexts, type ErrorText } from './error-texts.ts';
import type { ErrorCode } from './errors.ts';

/* The texts of the OpenAPI document that belong to no single operation. */

/** What a document says of all operations of a deployment. */
export type DocumentTexts = {
  readonly summary: string;
  readonly introduction: string;
  /** By the first step of a path. */
  readonly tags: Readonly<Record<string, string>>;
  /** Parameters of paths and queries, by name; by operation and name where one has another meaning there. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
  readonly scopes: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<ErrorCode, ErrorText>>;
};

/** What a caller must know about all operations. */
const introduction = `The API manages returns of units of orders: the request, its decision, the goods, the money and the history.

- Requests and responses are JSON in UTF-8. An unknown field or query parameter gets 400, and so does half a surrogate pair.
- Times are RFC 3339. A request may have any offset, such as \`+01:00\`. In a query, write the plus sign as \`%2B\`. The
  service stores and returns times in UTC with \`Z\`.
- Amounts are integers in minor units of their currency (ISO 4217).
- A POST that stores something needs an \`Idempotency-Key\`. Commands accept \`dryRun\`: it runs all checks and stores nothing.
- Errors are problems (RFC 9457) with a stable \`code\`. API Gateway rejects some requests itself with
  \`{"message": …}\`, which is JSON but no problem.
- Responses to commands contain no personal data and no texts that people wrote. Read the return, the order or the
  withdrawal to see them.`;

/** By the first step of a path. */
const tags: Readonly<Record<string, string>> = {
  analytics: 'Counts and sums of returns over a period',
  decisions: 'Policy decisions and their reasons',
  events: 'Events in their order, for consumers that poll',
  inbox: 'Webhook deliveries that shops sent to this deployment, and their results',
  jobs: 'Long tasks that continue after the response: exports, erasures, backtests',
  orders: 'The facts of orders that returns need',
  policies: 'The rules that decide returns, in versions',
  quotes: 'The amounts that a refund would have',
  reasons: 'Return reasons and their requirements',
  returns: 'Returns, the commands that change them, and their history',
  service: 'The service itself',
  summary: 'Counts and sums of returns now',
  users: 'The users to whom returns can be assigned',
  'webhook-endpoints': 'The endpoints that receive events, and the deliveries to them',
  withdrawals: 'Declarations of withdrawal from a contract, and their receipts',
  'write-back': 'What commands want at shops, and what shops may be asked to do',
};

/** Parameters of paths and queries, by name; by operation and name where one has another meaning there. */
const parameters: Readonly<Record<string, string>> = {
  platform: 'The platform of the order',
  orderId: 'The id of the order at its platform',
  externalId: 'The id of the refund at the platform',
  returnId: 'The id of the return',
  parcelId: 'The id of the parcel',
  refundId: 'The id of the refund',
  exchangeId: 'The id of the exchange',
  decisionId: 'The id of the decision',
  jobId: 'The id of the job',
  deliveryKey: 'The key of the delivery, from a list of deliveries',
  queue: 'The name of a dead-letter queue, from listDeadLetters',
  source: 'Only deliveries of this shop',
  receivedFrom: 'Only deliveries received at this time or later',
  type: 'The type of the fee',
  endpointId: 'The id of the endpoint',
  eventId: 'The id of the event',
  withdrawalId: 'The id of the withdrawal',
  intentId: 'The id of the intent',
  receipt: 'Only withdrawals whose receipt has this status',
  refund: 'Only withdrawals whose refund of held units has this status',
  'listWithdrawals.from': 'Only withdrawals that were stored at this time or later',
  'listWithdrawals.to': 'Only withdrawals that were stored before this time',
  'listWithdrawals.updatedFrom': 'Only withdrawals changed last at this time or later',
  'listWithdrawals.sort': 'By creation or by the last change, the latest first. Default: `createdAt`',
  'listWebhookDeliveries.type': 'Only deliveries of events of this type',
  'listWebhookDeliveries.from': 'Only deliveries of events that happened at this time or later',
  code: 'The reason: `group.reason`, or a group alone',
  active: 'Only reasons that new returns may use. With `false`, only the other reasons',
  policyId: 'The id of the policy',
  country: 'The country of the orders (ISO 3166-1), such as PT',
  channel: 'The channel of the orders. Without it, the statements hold for every channel',
  date: 'The day on which the orders are placed. Default: today, in the time zone of the country',
  'getPolicyText.language': 'The language of the texts. Default: the best one of Accept-Language',
  format: 'The only format in the answer. Without it, the answer has all of them',
  version: 'The number of the version',
  from: 'The number of the version to compare',
  to: 'The number of the version to compare with',
  start: 'The start without a cursor: `oldest` for the oldest stored event, `now` for new events only',
  limit: 'The maximum number of items on a page',
  cursor: 'The `nextCursor` of the previous page',
  asOf: 'A time between the creation of the return and now. The response is the return at that time, without ETag and `allowedActions`',
  status: 'Only items with this status',
  'listReturns.status': 'Only returns in one of these statuses, separated by commas, such as `received,inspected`',
  open: 'With `true`, only returns that have not ended. With `false`, only ended returns',
  nextBy: 'Only returns whose next step this party has to take. It filters as `sku` does, so a page may be short',
  assignee: 'Only returns of this user, or with `me` those of the signed-in user of the call',
  assigned:
    'With `true`, only returns with an assignee. With `false`, only the others. It filters as `sku` does, so a page may be short',
  view: 'Only returns of this queue of the work. It filters as `sku` does, so a page may be short',
  flag: 'Only returns with this flag. It filters as `sku` does, so a page may be short',
  orderNumber:
    'Only returns of the orders with this number, on all platforms, with or without a leading `#`. An order without a number has its id',
  include:
    'Adds personal data to the list: `customer` the name and address of each customer, `declaration` the texts of each consumer. Without it, the list has none',
  kind: 'Only jobs of this kind',
  customerId: "Only returns of this customer, by the shop's id",
  rmaNumber: 'Only the return with this number',
  trackingNumber: 'Only returns with a parcel that has this tracking number. Case and white space do not matter',
  externalRef: 'Only the return with this reference: `<platform>:<id>`',
  sku: 'Only returns with a line of this SKU. It filters the results of the other filters, so a page may be short',
  reason: 'Only returns with a line that has this reason code. It filters as `sku` does, so a page may be short',
  resourceId: 'The `subject` of the event: the id of a return or a withdrawal',
  sequence: 'The `data.sequence` of the event',
  language:
    'The language of the message. Default: that of the declaration, or the usual one of the country of the order',
  groupBy: 'The dimension of the groups',
  requestedFrom: 'The first day of the requests, in UTC',
  requestedTo: 'The last day of the requests, in UTC. Default: today',
  'getAnalytics.sort':
    'The order of the items: by `returns`, by `units` requested, or by `value`, the highest first. Default: `value` for days and months, `returns` for other groups',
  createdFrom: 'Only returns created at this time or later',
  updatedFrom: 'Only returns changed last at this time or later',
  overdue:
    'Only returns whose first open deadline, `dueAt`, has passed. `false` filters the results of the other filters for all other returns',
  dueBefore: 'Only returns whose first open deadline, `dueAt`, is before this time',
  sort: 'By creation or by the last change, the latest first; or by `dueAt`, the earliest deadline first. `dueAt` lists the returns with an open deadline, then the other returns with work. With `orderId`, `orderNumber`, `customerId` or `trackingNumber`, only `createdAt` is possible. Default: `dueAt` with `overdue` or `dueBefore` where it is possible, otherwise `createdAt`',
};

const scopes = {
  'returns:read': 'Read orders, returns and their history, and policies',
  'returns:write': 'Register orders, create and change returns',
  'returns:admin':
    'Manage policies and webhook endpoints, reopen and correct returns, and use overrides. It adds to the other scopes',
  'returns:search': 'Search returns by the e-mail address or the name of a customer',
};

/** The texts of a deployment with the whole contract. */
export const ownTexts: DocumentTexts = {
  summary: 'Product returns, their history and the policies that decide them',
  introduction,
  tags,
  parameters,
  idempotencyKey:
    'Identifies the request for 24 hours. A repeat with the same key gets the response of the first request. Only a request with dryRun=true may omit it',
  scopes,
  errors: errorTexts,
};
