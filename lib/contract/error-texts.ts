import type { ErrorCode } from './errors.ts';

/** What a reader of the documents learns about an error code. Functions do not carry these texts. */
export type ErrorText = {
  /** When a request gets this error. */
  readonly cause: string;
  /** Where the caller or the operator sees the reason. */
  readonly check: string;
  /** What the caller or the operator does. */
  readonly fix: string;
};

const readErrors = 'Each entry of `errors` has the path in the input and says what is accepted.';
const readAgain = 'Read the resource again and decide whether to repeat the request.';
const sameKeyLater = 'Repeat the request with the same Idempotency-Key.';

/**
 * Every error code with its cause, where to see it, and what to do. The file is long because it is one table in the order
 * of lib/contract/errors.ts: its texts are read and translated as a whole.
 */
export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_request: {
    cause: 'The request has an unknown field, a missing field, a wrong type or a value outside its limits.',
    check: readErrors,
    fix: 'Correct the fields that `errors` names.',
  },
  invalid_cursor: {
    cause: 'The cursor is malformed, or it belongs to another list or to other filters.',
    check: 'Compare the filters of this request with those of the request that returned the cursor.',
    fix: 'Send the `nextCursor` of the previous page with the same filters, or start without a cursor.',
  },
  idempotency_key_required: {
    cause: 'A POST that stores something has no Idempotency-Key header.',
    check: 'Look at the request headers.',
    fix: 'Send a new key for each new request, and the same key for each repeat. A key has 1 to 255 characters.',
  },
  invalid_token: {
    cause: 'The access token is missing, malformed, expired, or issued for another audience.',
    check: 'Read the WWW-Authenticate header. Decode the token and compare `iss`, `aud` and `exp`.',
    fix: 'Get a new token from the token endpoint and repeat the request.',
  },
  invalid_signature: {
    cause: 'The signature of a webhook does not match its body, or its timestamp is too old.',
    check: 'Compare the secret of the shop with the secret that the deployment stores for it.',
    fix: 'Store the right secret. The platform then repeats the webhook.',
  },
  insufficient_scope: {
    cause: 'The token is valid but does not have the scope of the operation.',
    check: 'The documents show the scope of each operation. The `scope` claim of the token shows what it has.',
    fix: 'Request the scope with the token. The administrator of the issuer must allow it for the client.',
  },
  feature_disabled: {
    cause: 'The deployment does not have the feature, because its parameter is off.',
    check: 'The `detail` of the problem names the parameter, such as CustomerSearch.',
    fix: 'The operator sets the parameter to `on` and deploys. Until then, do not repeat the request.',
  },
  cross_site_request: {
    cause: 'A page of another site sent the request from a browser. The API for browsers serves only its own pages.',
    check: 'Look at the request header Sec-Fetch-Site: it is `cross-site` or `same-site`.',
    fix: 'Call the API for clients from a server, with a token of the client.',
  },
  refund_above_limit: {
    cause: 'The refund is above the limit for the scope returns:write.',
    check: 'The `detail` of the problem names what is left of the limit.',
    fix: 'Repeat the request with a token that has returns:admin, or refund a smaller part.',
  },
  override_requires_admin: {
    cause: 'The request has an override, and the token does not have returns:admin.',
    check: 'Each entry of `errors` has the path of an override.',
    fix: 'Leave the override out, or use a token with returns:admin.',
  },
  return_not_found: {
    cause: 'No return has this id.',
    check: 'Search the return by order, RMA number or external reference with `listReturns`.',
    fix: 'Use the `returnId` of an existing return.',
  },
  order_not_found: {
    cause: 'No order with this platform and id is registered.',
    check: 'Read the order with `getOrder`.',
    fix: 'Register the order first, or correct the platform and the id.',
  },
  order_line_not_found: {
    cause: 'The order has no line with this id.',
    check: 'Read the lines of the order with `getReturnable`.',
    fix: 'Use an `orderLineId` of the order.',
  },
  return_line_not_found: {
    cause: 'The return has no line with this id.',
    check: 'Read the lines of the return with `getReturn`.',
    fix: 'Use a `lineId` of the return.',
  },
  parcel_not_found: {
    cause: 'The return has no parcel with this id.',
    check: 'Read the parcels of the return with `getReturn`.',
    fix: 'Use a `parcelId` of the return.',
  },
  attachment_not_found: {
    cause: 'The return has no attachment with this id, or the attachment was erased.',
    check: 'Read `evidence` of the return with `getReturn`.',
    fix: 'Use the `id` of an entry of `evidence`.',
  },
  user_not_found: {
    cause: 'No signed-in user with this id has sent a command, or the user was erased.',
    check: 'Read the users with `listUsers`.',
    fix: 'Use a `userId` of the list. A user joins it with the first command.',
  },
  unexpected_not_found: {
    cause: 'The return has no unexpected item with this id.',
    check: 'Read `unexpected` of the return with `getReturn`.',
    fix: 'Use the `id` of an entry of `unexpected`.',
  },
  exchange_not_found: {
    cause: 'The return has no exchange with this id.',
    check: 'Read the exchanges of the return with `getReturn`.',
    fix: 'Use an `exchangeId` of the return.',
  },
  refund_not_found: {
    cause: 'The return has no refund with this id.',
    check: 'Read the refunds of the return with `getReturn`.',
    fix: 'Use a `refundId` of the return.',
  },
  decision_not_found: {
    cause: 'No policy decision has this id, or its retention period is over.',
    check: 'The `decision` of a return has its `decisionId`.',
    fix: 'Use the id of a stored decision.',
  },
  policy_not_found: {
    cause: 'No policy has this id.',
    check: 'List the policies with `listPolicies`.',
    fix: 'Use the `policyId` of an existing policy.',
  },
  policy_version_not_found: {
    cause: 'The policy has no version with this number.',
    check: 'List the versions with `listVersions`.',
    fix: 'Use the number of an existing version.',
  },
  job_not_found: {
    cause: 'No job has this id, or its retention period is over.',
    check: 'List the jobs with `listJobs`.',
    fix: 'Use the `jobId` of a stored job, or start the job again.',
  },
  delivery_not_found: {
    cause: 'The inbox has no webhook delivery with this key, or its retention period is over.',
    check: 'List the deliveries with `listInboxDeliveries`.',
    fix: 'Use the `key` of a stored delivery.',
  },
  intent_not_found: {
    cause: 'No intent has this id, or its retention period is over.',
    check: 'List the intents of the return with `listIntents`.',
    fix: 'Use the `intentId` of a stored intent.',
  },
  endpoint_not_found: {
    cause: 'No webhook endpoint has this id.',
    check: 'List the endpoints with `listWebhookEndpoints`.',
    fix: 'Use the `endpointId` of an existing endpoint.',
  },
  webhook_delivery_not_found: {
    cause: 'The endpoint has no delivery for this event, or its retention period is over.',
    check: 'List the deliveries of the endpoint with `listWebhookDeliveries`.',
    fix: 'Use the `eventId` of a stored delivery.',
  },
  withdrawal_not_found: {
    cause: 'No withdrawal has this id.',
    check: 'List the withdrawals with `listWithdrawals`.',
    fix: 'Use the `withdrawalId` of an existing withdrawal.',
  },
  message_not_found: {
    cause: 'No event with this sequence has a message for the customer, or a platform manages the return.',
    check:
      'Read the event: `data.messageName` has the name of its message, and `data.sequence` the number in the path.',
    fix: 'Send nothing to the customer. A platform informs the customers of the returns that it manages.',
  },
  dead_letter_queue_not_found: {
    cause:
      'The deployment has no dead-letter queue with this name. The connected mode has the queues of the inbox and of events only.',
    check: 'List the queues with `listDeadLetters`.',
    fix: 'Use a queue of the deployment, or call the API of the Returns Service.',
  },
  invalid_transition: {
    cause: 'The status of the return does not allow the command.',
    check: '`allowedActions` lists each command. `allowed` says whether it is possible now, and `blockedBy` why not.',
    fix: 'Send a command with `allowed` first.',
  },
  inspection_pending: {
    cause: 'Money depends on goods that are received but not inspected.',
    check: 'Compare `received` and `inspected` of each line.',
    fix: 'Inspect the goods, then repeat the request.',
  },
  duplicate_return: {
    cause: 'A return with this external reference exists.',
    check: '`returnId` of the problem is the existing return.',
    fix: 'Use the existing return. A second return of the same order needs its own reference.',
  },
  quote_stale: {
    cause: 'The order, the return or the policy has changed since the quote, or the quote has expired.',
    check: 'Compare the hash of a new quote with the hash in the request.',
    fix: 'Request a new quote, check its amounts, and send its hash.',
  },
  order_facts_frozen: {
    cause: 'The order has returns or refunds, and the request changes facts on which they depend.',
    check: readErrors,
    fix: 'Leave these facts as they are. Lines and quantities may be added.',
  },
  version_published: {
    cause: 'The newest version of the policy is published. A published version never changes.',
    check: 'Read the versions with `listVersions`.',
    fix: 'Create the next draft: send `If-None-Match: *`.',
  },
  second_person_required: {
    cause: 'The caller saved a revision of the draft, and the deployment requires a second person to publish it.',
    check: 'Read `createdBy` and `updatedBy` of the draft with `getVersion`.',
    fix: 'Let a person publish the draft who saved no revision of it.',
  },
  endpoint_disabled: {
    cause: 'The webhook endpoint is disabled, so no event is sent to it.',
    check: 'Read `disabled` with `getWebhookEndpoint`: it has the time and the reason.',
    fix: 'Enable the endpoint first.',
  },
  idempotency_key_in_progress: {
    cause: 'Another request with the same Idempotency-Key is running.',
    check: 'Retry-After says how long to wait.',
    fix: sameKeyLater,
  },
  cursor_expired: {
    cause: 'The events after this cursor are older than 30 days and no longer stored.',
    check: 'Compare the time of the last event that you read with the retention period.',
    fix: 'Start without a cursor. Read the current state of the returns, since events are missing.',
  },
  receipt_erased: {
    cause: 'The personal data of the consumer was erased, and the content of the receipt with it.',
    check: '`erased` of the withdrawal is true. Its `receipt` still has the hash.',
    fix: 'Compare the hash with that of the receipt which the consumer holds. The receipt still verifies.',
  },
  version_mismatch: {
    cause: 'The resource has changed since the ETag in If-Match, or it exists although If-None-Match is `*`.',
    check: 'Read the resource and compare its ETag.',
    fix: readAgain,
  },
  payload_too_large: {
    cause: 'The request body is larger than 1 MiB, or a webhook is larger than its platform allows.',
    check: 'Measure the body in bytes.',
    fix: 'Send less in one request. Upload files with the URL of `addAttachment`.',
  },
  unsupported_media_type: {
    cause: 'The Content-Type is not one that the operation accepts.',
    check: 'The documents list the media types of each operation.',
    fix: 'Send `application/json`. A PATCH also accepts `application/merge-patch+json`.',
  },
  not_eligible: {
    cause: 'A line does not qualify for a return by the policy.',
    check: 'Read the decision of the return with `getDecision`: it shows the rules and the facts.',
    fix: 'Return other units, or approve the line with an override, which needs returns:admin.',
  },
  quantity_exceeds_returnable: {
    cause: 'The request names more units than can still be returned, received or inspected.',
    check: 'Read the returnable units with `getReturnable`, or the quantities of the lines with `getReturn`.',
    fix: 'Name fewer units. Units that did not leave the shop are cancelled there, also after a withdrawal.',
  },
  refund_exceeds_ceiling: {
    cause: 'The refund is above what the return or the order still allows.',
    check: 'Request a quote: it shows the ceiling and every step of the sum.',
    fix: 'Refund at most the amount of the quote.',
  },
  refund_exceeds_payments: {
    cause:
      'The refund is above what the customer paid for the order. The order states that all its payments are known.',
    check: 'Read `payments` of the order with `getOrder`, and earlier refunds with `getReturn`.',
    fix: 'Refund a part by `amount`, or register the missing payment. An admin may send `paymentOverride`.',
  },
  shipping_refund_exceeds_paid: {
    cause: 'The refunds of shipping would be above the shipping that the customer paid.',
    check: 'Read the shipping of the order with `getOrder`, and earlier refunds with `getReturn`.',
    fix: 'Refund a smaller amount of shipping.',
  },
  resolution_not_allowed: {
    cause: 'The reason, the policy or a gift does not allow this resolution.',
    check: 'List the reasons with `listReasons`, or read the allowed resolutions of the decision with `getDecision`.',
    fix: 'Choose a resolution that is allowed.',
  },
  fee_not_open: {
    cause: 'The return has no open part of this fee.',
    check: 'Read `fees` of the return with `getReturn`.',
    fix: 'No action is needed when the fee is already waived or applied.',
  },
  recovery_exceeds_due: {
    cause: 'The request books more than the customer still has to pay back.',
    check: 'Read `recoveries` of the return with `getReturn`.',
    fix: 'Book at most the amount that is due.',
  },
  reason_unknown: {
    cause: 'No active reason has this code.',
    check: 'List the reasons with `listReasons`.',
    fix: 'Use the code of an active reason.',
  },
  evidence_required: {
    cause: 'The reason of a line needs evidence, such as a photo, and none is attached.',
    check: 'Each entry of `errors` has the path of a line.',
    fix: 'Attach the evidence with `addAttachment`, or approve the line with an override.',
  },
  statutory_floor_violation: {
    cause: 'The law gives the customer more than the request would give.',
    check: 'The `detail` of the problem names the law.',
    fix: 'Give at least what the law demands. `floorOverride` with a reason needs returns:admin and is recorded.',
  },
  policy_invalid: {
    cause: 'The draft policy has errors, so it cannot be stored or published.',
    check: readErrors,
    fix: 'Correct the rules that `errors` names.',
  },
  golden_case_failed: {
    cause: 'The draft policy decides a golden case differently from the expected result.',
    check: 'Each entry of `errors` has the path of a golden case and shows both results.',
    fix: 'Correct the policy, or change the expected result of the case.',
  },
  endpoint_url_forbidden: {
    cause: 'The URL of the webhook endpoint is not public, not https, or blocked by the deployment.',
    check: readErrors,
    fix: 'Use an https URL of a public host.',
  },
  endpoint_limit_reached: {
    cause: 'The deployment has the maximum number of webhook endpoints.',
    check: 'List the endpoints with `listWebhookEndpoints`.',
    fix: 'Delete an endpoint that is no longer needed.',
  },
  currency_mismatch: {
    cause: 'An amount has another currency than the order.',
    check: readErrors,
    fix: 'Send all amounts in the currency of the order.',
  },
  idempotency_key_reused: {
    cause: 'The Idempotency-Key was used for a request with other content in the last 24 hours.',
    check: 'Compare the request with the first request of this key.',
    fix: 'Send a new key for a new request.',
  },
  precondition_required: {
    cause: 'The operation needs If-Match, or If-None-Match, and the request has neither.',
    check: 'Look at the request headers.',
    fix: 'Read the resource and send its ETag in If-Match. Send `If-None-Match: *` to create it.',
  },
  rate_limited: {
    cause: 'The caller sends too many requests, or too many jobs are open.',
    check: 'Retry-After says how long to wait.',
    fix: 'Wait, then repeat the request. Send fewer requests at the same time.',
  },
  internal_error: {
    cause: 'The service has a defect, or a stored item is damaged.',
    check: 'Search the log for the `traceId` of the problem.',
    fix: 'Report the `traceId` to the operator of the deployment.',
  },
  operation_not_offered: {
    cause: 'The contract has this path and method, but the deployment does not offer the operation.',
    check: 'Compare the path and the method with `/v1/openapi.json`, which lists the operations of the deployment.',
    fix: 'Use an operation that the deployment offers. Do not repeat the request.',
  },
  dependency_refused: {
    cause:
      'The answer of the Returns Service does not fit the contract, or the service rejects the request in a way that the contract does not define.',
    check: 'Read the `detail` of the problem. `npm run doctor` names the first difference and its remedy.',
    fix: 'Do not repeat the request: a command may have had an effect. The operator corrects the address or the version of the service.',
  },
  dependency_unavailable: {
    cause: 'The database, a queue, the token endpoint or the Returns Service does not answer correctly.',
    check: 'Search the log for the `traceId`. `npm run doctor` checks each dependency.',
    fix: 'Wait for Retry-After, then repeat the request. Repeat a POST with the same Idempotency-Key.',
  },
  timeout: {
    cause: 'A dependency did not answer before the deadline of the request. The request may have taken effect.',
    check: 'Search the log for the `traceId`.',
    fix: 'Repeat a POST with the same Idempotency-Key. Read the resource before you repeat another change.',
  },
};
