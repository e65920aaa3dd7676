import type { OperationName } from './schemas.ts';

/*
 * What the OpenAPI document says in words. Apart from lib/contract/operations.ts, which functions carry: no function
 * needs it.
 */

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

export const descriptions: Readonly<Record<OperationName, string>> = {
  registerOrder:
    'Registering again merges fact by fact: of each the newer `observedAt` stands. Once the order has a return its prices are fixed. Returns of the order that are `requested` are judged anew when what their decision rests on is told otherwise: by their own time, so that no window runs on, and to be approved or to be left to somebody, never to be rejected. Answers 201 for an order that was not known, 200 for one that was.',
  getOrder: 'The facts of all registrations together, the customer among them.',
  getReturnable: 'For each line the units that reached the customer, less those that returns hold.',
  recordRefund:
    'Money that has moved already is never refused for its amount: what goes beyond the order, the return or what was paid is a discrepancy. The same refund told again is answered with 200 as it is known.',
  createReturn:
    'Every line must be of the order, and of every line there must be as many units left to return. Of two requests for the last unit one gets it. A reason may demand a note, and allow some resolutions only; what a platform observed is taken however it is, and was requested when the platform says. A withdrawal that a law certainly gives is approved at once where no policy is for the order.',
  listReturns:
    'Filters narrow together, and `orderId` needs `platform`. Eventually consistent: a page may be short, or empty, and still have a next one. Whatever changes meanwhile, a walk by `createdAt` shows each return once that has the same `status` throughout, and all that were there when it began. A walk by `updatedAt` shows no return twice, and each that does not change meanwhile; one that changes before the walk comes to it moves ahead of it, and is found by `updatedFrom` with the time at which the walk began. A walk by `dueAt` shows each return once whose deadline stays.',
  getReturn:
    'The return as it is now, with the customer and all notes. `"erased": true` stands where a text, or the name and the address of the customer, was erased.',
  updateReturn:
    'A merge patch (RFC 7396): what is left out stays, `null` empties, a list is replaced as a whole. If-Match must be the ETag last seen.',
  approve:
    'Without lines all of it. With lines, each line of the return must be named once; units that are not approved are rejected, and free for another return. A line that does not qualify by the policy (`not_eligible`) is approved with `override.reason` of its entry in `lines`, which takes returns:admin. A line whose reason demanded evidence needs an attachment, of its own or of the whole return, or an override.',
  reject:
    'The whole return; its units are free for another one. Units that a law protects are not rejected, but with `floorOverride`, which takes returns:admin and is recorded as a discrepancy.',
  requestInfo:
    'The return waits for the answer. Its deadlines do not: those of a statutory withdrawal run from the request.',
  provideInfo:
    'By words, by evidence that was attached before, or both. The return is back where it waits for its decision.',
  addParcel:
    'Inbound until the return is inspected: outstanding units that are in no other parcel on its way. From then on outbound: refused units that are neither honoured nor sent back.',
  updateParcel:
    'A merge patch (RFC 7396). If-Match must be the ETag of the return. A parcel that has moved takes an approved return to `in_transit`; what is delivered is received only by a receipt.',
  receive:
    'As often as something comes, in every status but those before the decision. Outstanding units are received, and so are units that were given up, as long as no other return has taken them; the rest, and all that comes for a return that is rejected or cancelled, is unexpected and never money. What comes late takes a return that is completed or expired up again. The parcel that it came in is delivered.',
  closeReceipt:
    'Without lines all that is outstanding. Without a cause it is `not_in_parcel` where anything came, else `never_sent`. Missing units are free for another return, and are received all the same if they come after all.',
  inspect:
    'As often as somebody looks. Several entries of one line count together: no more units are accepted and refused than came. `deductionBps` is at most what the terms of the return allow. Units that a law protects are refused with `floorOverride` alone, which takes returns:admin and is recorded as a discrepancy.',
  grant:
    'Missing units that no other return has taken, or refused ones that are in no parcel back: the customer has a claim for them again.',
  refund:
    'Without lines all units that may be refunded now. Without `charges` what the order paid beside goods and shipping goes back with the last of the whole order where a law protects it, else not. While the money waits for an inspection it is refused with `inspection_pending`, which `allowedActions` names too. It is booked as `pending` and moves no money: whoever pays it reports by recordRefundResult, with the id of the refund as the idempotency key at the provider. A key is kept for ever: when it comes again after its 24 hours, the return is answered as it is then. Above the limit of the terms, of an order that is known in part, and once the return is completed it takes returns:admin.',
  recordRefundResult:
    '`pending` becomes `submitted` or `cancelled`; `submitted` becomes `succeeded`, `failed` or `unknown`; `unknown` becomes `succeeded` or `failed`; `failed` becomes `submitted` again or `cancelled`; `succeeded` becomes `reversed`. The same status told again changes nothing.',
  exchange:
    'The units take what they are worth from what may still be refunded; without `credit` all of it goes towards the new item. You place the order and settle the `balance`: above zero the customer pays it, below zero you do. What you pay counts towards the limit of the terms, and where the new item has no price the whole credit: above the limit it takes returns:admin.',
  exchangeResult:
    'From `requested` to `ordered` or `cancelled`, from `ordered` to `fulfilled` or `cancelled`. What is told again changes nothing. A cancelled exchange gives back its units.',
  remindRefund:
    'From three days before the date by which the terms want it paid it says so in the history and to whoever hears of events, as `refund.due_soon`, and once that has passed as `refund.overdue`: each once for a date. Before that, and when it was told, nothing changes. A schedule of ours asks for it every 15 minutes.',
  waiveFee: 'As far as no refund has taken it. It takes returns:admin.',
  recordRecovery:
    'At most `recoveryDue`. Units that it gives the money back for are refunded no more: when they come after all, they are paid.',
  writeOffRecovery: 'All of `recoveryDue`. It takes returns:admin.',
  complete:
    'Nothing is to come, to be looked at, to be sent back or to be paid. Money that is owed and will not be paid is waived with `waive.reason`; where a law protects the goods, that takes `floorOverride` and returns:admin.',
  cancel:
    'Without lines all that has not come back; with lines that many units of each. Once goods are on their way it takes returns:admin.',
  expire:
    'After the deadline to send the goods or to answer; before it, or without one, it takes returns:admin. What was to come is missing, what was undecided rejected; all of it is free for another return. Undecided units that a law protects do not expire: approve them, or reject them with an override.',
  reopen:
    'What was open until the return was rejected, cancelled or expired is open again, to be decided on where it never was approved. Then the policy that is for the order judges the request anew, as of its own time: what it allows as a whole is approved at once, all else waits for somebody, who takes an override to approve what the policy denies. What was approved once keeps its terms and its decision.',
  correct:
    'By signed differences, in any status. Each unit stays counted once, and what was refunded, honoured or is on its way stays. A return that was over goes on when that leaves anything to come, to be inspected or without a disposition, and one that had expired when units came.',
  addNote: 'For those who work on the return; the customer does not see it.',
  addAttachment:
    'In any status, for the return or one of its lines, up to 100. The file itself goes to `upload.url`, by PUT and within 15 minutes, and is taken only with the type, the length and the digest that were announced; a repeat under the same Idempotency-Key gets a fresh address. Readers of the return find a link to it in `evidence`; whether the file came is seen there.',
  getHistory:
    'Each entry is chained to the one before by its hash. `data` is as it was recorded, since the hash covers it: the own id of a return, a line or a parcel is `id` there. Free text stands in it as a salted digest. `actor.onBehalfOf` is whom the client acted for, until it is erased. A renewed decision stands in `renewed` of `return.reopened`, and in `decision.renewed` with the parts of the facts that have `changed`.',
  verifyHistory:
    'Checks that no entry is missing, that each has its hash and the hash of the one before, and that all together make the return as it is stored. Answers 200 either way; what is broken first is `firstFault`.',
  quoteReturn:
    'Stores nothing. With `returnId`: `blockedBy` names what the money waits for, such as `inspection_pending`. A refund that is sent with the `hash` is refused once anything has changed that it rests on. With `request`: what the policy would decide and what would be paid if all that it allows came back; createReturn honours the `eligibilityToken` for 15 minutes. The `detail` of a step and the `explanation` are texts for the customer, in the language of Accept-Language.',
  getDecision:
    'What the policy said when the return was asked for, or was judged anew: every rule with the facts it looked at, what it did, and what would have had to be otherwise. It is made again from what was kept, and `reproduced` tells that it came to the very same. The `explanation` is written for the customer at each read, in the language of Accept-Language and with the titles that the order has now. Nothing of it is personal.',
  listPolicies: 'With the version that decides now, and the draft where there is one.',
  getPolicy: 'Without what its versions say.',
  listVersions: 'Without what they say.',
  getVersion: 'With what it says. A published version never changes; when it decides may still be cut short.',
  diffVersions: 'Field by field. Rules are told apart by their ids, in whatever order they stand.',
  createPolicy:
    'From a document, or from a template to be changed. Nothing of it decides before it is published. There may be 100 policies.',
  saveDraft:
    'With `If-Match` it replaces the draft whose ETag that is. With `If-None-Match: *` it begins the next version: there must be no draft then. Going back to an earlier version is publishing a copy of it: `copyOf`. A policy may have 200 versions.',
  lintDraft:
    'Finds rules that can never hold or never count, that another rule makes needless, that contradict each other, or that the law overrules. It also finds amounts without a currency, and a draft without golden cases. An `error` keeps the draft from being published, a `warning` does not. Stores nothing.',
  testDraft:
    'Each case with what came out otherwise. Stores nothing. A case that fails keeps the draft from being published.',
  backtestDraft:
    'Begins a job and answers at once, unless the client has five open backtests (429): what the draft, as it is now, would have decided on returns that were decided already. Looked at are the newest, those of all policies; compared are those that the draft would decide: of the same policy, or of a wider one, for orders that it selects. Facts are those that were kept: which lists a customer was on as the version that decided had them, and nothing that it did not look at.',
  shadowDraft:
    'While it is `enabled`, each decision of the policy notes what the draft, as it then is, would have decided and paid (`shadow` of the decision). That has no effect; a draft that cannot be read or evaluated hinders nobody. A backtest with the `source` `shadow` counts what differed. It ends when the draft is published.',
  publish:
    'What was published of the policy before decides until this version does. Refused while lint finds errors, while a golden case fails, and while it could decide for the same orders at the same time as another policy that is as narrow (`overlap`). The `warnings` of lint come with the answer: a draft without golden cases is published with one.',
  archive:
    'All that is published of the policy ends then, what was to come later too; a draft stays. Where nothing is in force or to come, nothing changes.',
  listReasons:
    'All of them on one page, by code: the canonical ones, which have version 0 until they are changed, and those that the shop added.',
  putReason:
    'Replaces the whole reason, or creates it: If-None-Match is for one that has no version yet, which a canonical one that nobody has changed has not either. At most 200 in all. Returns that were requested before stay as they are. Answers 201 for a first version.',
  createExport:
    'Begins a job and answers at once; a client may have five open exports (429). `getJob` has the files once it is done. NDJSON: a return on each line, as getReturn shows it, without what is personal; of the customer the id and the segment. CSV (RFC 4180): a row for each line of a return, amounts in minor units, and an apostrophe before what a spreadsheet would take for a formula, whichever separator it expects. A small export is one file; a large one is several of about 4 MB, each with the header. Returns that change while it runs are in it as they were before or after; one that fits no 1,000 files of 4 MB fails with `too_large`: narrow it by `from` and `until`.',
  eraseCustomer:
    'Begins a job and answers at once; a client may have 20 open erasures (429). Deleted are name and address, what was written about the returns with its salts, files of evidence, deliveries about the returns or their orders, and deliveries without a readable order whose bodies name the customer, an order or a return. The names in the histories for whom clients acted can no longer be read. Returns and their histories stay, with ids and digests that reveal nothing without the salts; `"erased": true` stands where something was erased, in returns, orders and histories, and `textsErasedThrough` in exports. It goes on until nothing is found any more, and may be repeated; what a shop sends about the person later is stored again. Exactly one of `customerId` and `orderId` is named; where a shop names the customer of an order, `orderId` erases nothing of the customer but the data of that order.',
  listJobs:
    'Without progress, reports and files: getJob has those. Filters narrow together. Eventually consistent: a page may be short, or empty, and still have a next one. Jobs are kept for 90 days.',
  getJob:
    'While it runs, its report so far. Of a backtest, the examples of each direction are those with the smallest ids; of an export that is done, its files with addresses that serve them for five minutes. Jobs are kept for 90 days.',
  cancelJob:
    'Its workers stop after what they are at; what they have found stays, and what they have deleted is gone. A job that is done or failed is `invalid_transition`.',
  listEvents:
    'Every event once in a walk, those of a return in their order, none left out; among returns there is no order. `nextCursor` is never null: keep it, and go on there whenever you like within 30 days, then it is 410. A page may be short or empty; where `nextCursor` is the cursor that was sent, nothing has happened since. Events are kept for 30 days and some: older ones stand in the histories.',
  getSummary:
    'From counters that are kept as returns change, a few seconds later: `freshness` tells how far they are. `due` is what is booked and not paid yet, and what may be booked by now for the goods, less fees. In the standalone way it costs at most 300 read units, most of them for the overdue, whatever number of returns there is.',
  getAnalytics:
    'From the same counters, by the day on which a return was asked for (`requestedAt`, in UTC): what a return has come to since counts on that day. From 30 days ago, with `groupBy=month` from twelve months ago; at most 92 days by `day`, else 1,827. Days and months without returns are left out. By `sku` and `reason` a return is counted with each that it has, units and money are those of its lines: money without shipping and before fees; a SKU is that of the line. More than 4 MiB of counters in one of their 8 parts are refused with `max_items`: ask for fewer days.',
  listDeliveries:
    "Of this deployment, whichever way it is: a request is never passed on to a Returns Service. Filters narrow together, and `orderId` needs `platform`, which is the order's then. Eventually consistent: a page may be short, or empty, and still have a next one. By `orderId` and `returnId` deliveries are found once they are settled. They are kept for 30 days.",
  getDelivery: 'With its headers, credentials apart, and its exact bytes: as text where they are that, else in base64.',
  replay:
    'One that has not ended is `invalid_transition`. Its return is not made twice: what ends as before names the same one. Attempts are counted on, and how it ended before stands in its `runs`.',
  replayRange:
    'At most `limit` are looked at in a request, the last received first; the body again with `nextCursor` as its `cursor`, and a key of its own, goes on. With `dryRun` nothing is opened, and `replayed` tells how many would be. One that is being worked off is none of them. Each is worked off by itself: a request that ends half way, with a 503, may have opened some, and goes on when it is repeated. What was given up has a message in the dead-letter queue, which `redrive` takes away.',
  redrive:
    'For when what made them fail is mended. Each is opened again, with how it ended among its `runs`, and tried as a new one is. Messages that are of no use are deleted, with the reason; what they are of is told by `deliveryKey`, where there is one. At most `limit` messages are taken in a request, those that are left are counted by the queue, about. With `dryRun` nothing is moved or deleted.',
  createWebhookEndpoint:
    'It is sent what happens from now on, signed by `secret` as Standard Webhooks has it: the secret is told here and nowhere else. `url` must be https, at a public host: addresses of private and special networks are `endpoint_url_forbidden` in whatever way they are written, and names are looked at again when they are resolved. There may be 50 endpoints.',
  listWebhookEndpoints: 'All of them on one page, by their ids.',
  getWebhookEndpoint: 'Without its secrets: of each it is told since when and until when it signs.',
  updateWebhookEndpoint:
    'A merge patch (RFC 7396): what is left out stays, `null` empties, a list is replaced as a whole. If-Match must be the ETag last seen. With `enabled` `false` nothing is sent any more; with `true` it goes on where it stopped, with what happened meanwhile.',
  deleteWebhookEndpoint:
    'Answers with the endpoint as it was. What is being sent at this moment may still arrive. A repeat is `endpoint_not_found`.',
  rotateWebhookSecret:
    'The secret before signs too until `overlapHours` have passed, each delivery having both signatures: a receiver takes the new one in the meantime. At most two are in use: rotating again in that time drops the older one.',
  testWebhookEndpoint:
    'A signed event of the type `webhook_endpoint.test` with the sequence 0, at once and once, to a disabled endpoint too. It is kept nowhere. Answers 200 whatever the receiver does: `delivered` tells whether it answered with 2xx within 15 seconds.',
  listWebhookDeliveries:
    'What was sent, or is tried again; an event that waits for an earlier one of its return is not there yet. Filters narrow together, so that a page may be short, or empty, and still have a next one. Deliveries are kept for 30 days after their last change.',
  getWebhookDelivery:
    'With its last attempts, and the request as it is sent, to the byte, without its signature. Deliveries are kept for 30 days after their last change.',
  redeliverWebhook:
    'The very same event, with its id: receivers know it by that. It is sent soon, beside what is on its way, and its attempt is among the others then. To a disabled endpoint nothing is sent.',
  redeliverWebhooks:
    'At most `limit` are looked at in a request, the newest first; the body again with `nextCursor` as its `cursor`, and a key of its own, goes on. With `dryRun` nothing is sent, and `redelivered` tells how many would be. A request that ends half way, with a 503, may have sent some, and begins anew when it is repeated.',
  health: 'Whether the service can reach what it needs: otherwise the answer is 503.',
  asyncapi:
    'The events of the Returns Service with their types and the schemas of their data, as AsyncAPI 3.0. Types and `source` are those of the deployment that emits the events; the server is the one that the caller used.',
  openapi: 'This document. The server is the one that the caller used, the token endpoint that of the deployment.',
};

export const scopes = {
  'returns:read': 'Read orders, returns and their history, and policies',
  'returns:write': 'Register orders, create returns and move them',
  'returns:admin':
    'Manage policies and webhook endpoints, open returns again, correct them, and overrides on top of what the other scopes open',
};
