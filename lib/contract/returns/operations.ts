import { computing, creating, patching, reading } from '../entry.ts';
import {
  at,
  customer,
  entry,
  eur,
  line,
  lineId,
  note,
  orderSummary,
  ref,
  requested,
  returnId,
  summary,
} from '../example-story.ts';
import { PageQuery } from '../scalars.ts';
import { ReturnPatch } from './commands.ts';
import { History, HistoryVerification } from './history.ts';
import { Quote, QuoteRequest } from './quote.ts';
import { ReturnList, ReturnQuery, ViewCounts } from './return-list.ts';
import { CustomerReturns, CustomerSearch, FoundReturns, Reference } from './search.ts';
import { NewReturn } from './new-return.ts';
import { AsOfQuery, Return, ReturnPath } from './return.ts';

/* Operations that create, list, read and change returns. */

export const createReturn = creating({
  path: '/returns',
  scope: 'returns:write',
  summary: 'Request a return',
  description:
    'The order is registered. Each line belongs to the order, and enough of its units can still be returned. If two requests ask for the last unit, one succeeds. A reason can require a note, and can allow only some resolutions.\n\nWith the basis `withdrawal` and a right of withdrawal, units that are shipped and not delivered can be returned too. No policy rejects them.\n\nIf a policy applies to the order, it evaluates the request at once. Without a policy, a withdrawal that a law gives for certain is approved at once.\n\nWith `observed`, the platform has already created the return. The service accepts it as it is, and the request time is the time at the platform.',
  tool: {
    use: 'Use it after getReturnable, for units that the customer wants to return.',
    input: ['order', 'lines', 'basis', 'isGift'],
  },
  body: NewReturn,
  answers: Return,
  errors: [
    'order_not_found',
    'order_line_not_found',
    'duplicate_return',
    'quantity_exceeds_returnable',
    'reason_unknown',
    'quote_stale',
    'resolution_not_allowed',
  ],
  example: {
    body: {
      order: ref,
      lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small', note } }],
      initiatedBy: 'customer',
    },
    output: requested,
  },
});

export const listReturns = reading({
  path: '/returns',
  scope: 'returns:read',
  summary: 'List returns',
  description:
    'All filters apply together. `orderId` needs `platform`, `orderNumber` does not. `sort` selects the order: by creation or by the last change, the latest first, or by the first open deadline, the earliest first. By creation, an imported return counts from its import. By deadline, returns without one come last, and ended returns without work are left out.\n\n`view` selects one queue of the work:\n\n- `to_decide`: requests that staff decides on.\n- `waiting_for_customer`: the customer has to answer or to send goods.\n- `to_receive`: goods are in transit, or only some have arrived.\n- `to_inspect`: received units or items wait for an inspection.\n- `refund_due`: money is due and unpaid.\n- `overdue`: a deadline of the shop has passed, to inspect or to pay. The list has the order of `dueAt`.\n- `refund_unknown`: a refund has the status `unknown`.\n- `discrepancies`: an open return whose recorded facts break a rule.\n- `unexpected_items`: a received item belongs to no line and has no disposition.\n\nThe list is eventually consistent. A page can be short or empty although `nextCursor` is set. Returns can change while you read the pages:\n\n- By `createdAt`, each return that existed at the start appears exactly once, if the filters `status` and `open` are not set or still select it.\n- By `updatedAt`, no return appears twice, and each return that does not change appears. A return that changes before its page is read moves ahead. To find it, list again with `updatedFrom` set to the start time.\n- By `dueAt`, each return appears once, if its deadline does not change.',
  tool: {
    use: 'Use it for work lists: what waits for a decision, is overdue, or must be refunded.',
    input: ['status', 'nextBy', 'view', 'orderNumber', 'sku', 'overdue', 'dueBefore', 'sort', 'limit', 'cursor'],
  },
  query: ReturnQuery,
  answers: ReturnList,
  errors: ['invalid_cursor'],
  example: { output: { items: [summary], nextCursor: null } },
});

export const findReturns = computing({
  path: '/returns/find',
  scope: 'returns:read',
  summary: 'Find returns and orders by any number',
  description:
    'Stores nothing. Compares the whole text with these, in this order:\n\n- the id of a return, or its RMA number,\n- the number or the id of an order,\n- a tracking number,\n- the id of an external reference,\n- if none is equal, the SKUs of the newest 1,000 open returns.\n\nCase and white space do not matter, except in the id of an order or of a reference. A `#` before an order number does not matter. An id of an order or of a reference is found at the platforms of this deployment. For another platform, send `<platform>:<id>`.\n\n`matchedBy` says which of them was equal. The answer has up to 50 returns, the newest first within each kind, and up to 50 orders. `more` says that there may be others: list these with `listReturns`. The search is eventually consistent.',
  tool: { use: 'Start here when a person names an order, a return, a parcel or an article.' },
  body: Reference,
  answers: FoundReturns,
  errors: [],
  example: {
    body: { reference: returnId },
    output: { items: [{ matchedBy: 'return', return: summary }], orders: [], more: false },
  },
});

export const searchCustomers = computing({
  path: '/returns/search',
  scope: 'returns:search',
  summary: 'Search returns and orders by customer',
  description:
    'Stores nothing. The parameter `CustomerSearch` enables it. The token needs the scope `returns:search`, which no other scope contains.\n\nThe search is exact: it compares whole texts, and no parts of them. It ignores the case of letters, the width of characters (NFKC) and white space around the text. White space within the text counts as one space. In a name it also ignores accents, punctuation and the order of the parts: `zelia quintao` finds Zélia Quintão. A name with a digit keeps the order and the punctuation. It finds the present name and address of a customer, as the shop reported them last.\n\nThe answer has the returns of all customers with this name or address, the newest first. The first page also has up to 50 orders, with and without returns. Orders without a return are known since `CustomerSearch` is on. Only `include=customer` adds personal data. A name of more than 100 customers or orders is rejected: search by the address. A page can be short or empty although `nextCursor` is set.\n\nEach search is logged with the caller and the number of results, and without the text. The gateway answers 429 to more than 5 searches a second. An erased customer is not found.',
  body: CustomerSearch,
  answers: CustomerReturns,
  errors: ['feature_disabled', 'invalid_cursor'],
  example: {
    body: { email: 'ada@example.com' },
    output: { items: [summary], orders: [orderSummary], moreOrders: false, nextCursor: null },
  },
});

export const countViews = reading({
  path: '/returns/views',
  scope: 'returns:read',
  summary: 'Count the returns of each saved view',
  description:
    'The views are those of `listReturns`. A return may be in several views.\n\nThe service reads about 5,000 returns with work, the oldest first, and fewer if they have many SKUs. With more of them, each count is a lower bound, and `capped` is true. The counts are eventually consistent.',
  tool: { use: 'Use it to say how much work waits, before you list returns.' },
  answers: ViewCounts,
  example: {
    output: {
      views: [{ name: 'to_decide', count: 1, capped: false, oldestAt: at.requested }],
      at: at.decided,
    },
  },
});

export const getReturn = reading({
  path: '/returns/{returnId}',
  scope: 'returns:read',
  summary: 'Read a return',
  description:
    'Returns the current state, with the customer and all notes. `"erased": true` marks an erased text, or the erased name and address of the customer.',
  tool: { use: 'Read it before each command. In `allowedActions`, the commands with `allowed` are possible now.' },
  params: ReturnPath,
  query: AsOfQuery,
  answers: Return,
  errors: ['return_not_found'],
  example: {
    output: {
      ...requested,
      customer,
      lines: [{ ...line, reason: { ...line.reason, note } }],
      obligations: [
        { cause: 'goods', debtor: 'shop', amount: eur(1999), booked: eur(0), settled: eur(0), due: eur(0) },
      ],
    },
  },
});

export const updateReturn = patching({
  path: '/returns/{returnId}',
  scope: 'returns:write',
  summary: 'Update tags, metadata, external references and exchanges at the shop',
  description:
    'If-Match must be the ETag that you last read.\n\nThe body is a merge patch (RFC 7396). Absent fields stay as they are, `null` clears a field, and a list is replaced as a whole.\n\nAn external reference of another return fails with `duplicate_return`.\n\nThe price of each item of `shopExchanges` pays for goods of the return: a refund subtracts it. The shop settles the rest of a dearer item with the customer. While the price of an item is unknown, no money is due: a quote is 0, `refund` is not allowed, and there is neither `refundDueBy` nor a reminder. The discrepancy `exchanged_at_shop` says why. A deployment with webhooks of the shop reads it from there.',
  params: ReturnPath,
  body: ReturnPatch,
  answers: Return,
  errors: ['return_not_found', 'duplicate_return', 'version_mismatch', 'precondition_required'],
  example: {
    body: { tags: ['vip'], metadata: { ticket: '7' } },
    output: { ...requested, version: 2, tags: ['vip'], metadata: { ticket: '7' }, updatedAt: at.decided },
  },
});

export const getHistory = reading({
  path: '/returns/{returnId}/history',
  scope: 'returns:read',
  summary: 'Read the history of a return',
  description:
    'Returns the oldest entry first. Each entry contains the hash of the previous entry.\n\n- `data` is unchanged since it was recorded, because the hash covers it. A return, a line or a parcel has its own id there as `id`.\n- Free text appears as a salted digest.\n- `actor.onBehalfOf` names the person or client that the caller acted for, until it is erased.\n- A renewed decision is in `renewed` of `return.reopened`, or in `decision.renewed`. There `changed` lists the parts of the facts that changed.',
  tool: { use: 'Use it to answer who changed a return, when and why.' },
  params: ReturnPath,
  query: PageQuery,
  answers: History,
  errors: ['return_not_found', 'invalid_cursor'],
  example: { output: { items: [entry], nextCursor: null } },
});

export const verifyHistory = reading({
  path: '/returns/{returnId}/history/verification',
  scope: 'returns:read',
  summary: 'Verify the history of a return',
  description:
    'Checks all entries from the first one to the current return. No entry may be missing. Each entry must match its hash and the hash of the previous entry. All entries together must result in the stored return.\n\nThe status is 200 for a valid and for a broken history. `firstFault` shows the first failure.',
  params: ReturnPath,
  answers: HistoryVerification,
  errors: ['return_not_found'],
  example: { output: { returnId, entries: 2, valid: true, head: entry.hash } },
});

export const quoteReturn = computing({
  path: '/quotes',
  scope: 'returns:read',
  summary: 'Quote a refund',
  description:
    'Stores nothing. The `detail` of a step and the `explanation` are texts for the customer, in the language of Accept-Language.\n\nWith `returnId`, `blockedBy` names what the money waits for, such as `inspection_pending`. Send the `hash` with the refund: if a fact of the quote has changed, the refund fails.\n\nWith `request`, the answer shows the decision of the policy. It also shows the refund after all allowed units have come back. createReturn accepts the `eligibilityToken` for 15 minutes.',
  tool: {
    use: 'Use it to answer what a customer gets back, and before refund.',
    input: ['returnId', 'lines', 'amount'],
  },
  body: QuoteRequest,
  answers: Quote,
  localized: true,
  errors: [
    'order_not_found',
    'order_line_not_found',
    'reason_unknown',
    'quantity_exceeds_returnable',
    'return_not_found',
    'return_line_not_found',
    'inspection_pending',
    'refund_exceeds_ceiling',
    'refund_exceeds_payments',
    'shipping_refund_exceeds_paid',
    'currency_mismatch',
  ],
  example: {
    body: { returnId },
    output: {
      returnId,
      steps: [
        { rule: 'goods', lineId, amount: eur(1999), detail: '1 × SHIRT-M at the price paid, with discounts and tax.' },
        { rule: 'shipping', amount: eur(0), detail: 'The shipping costs of the order are not refunded.' },
      ],
      total: eur(1999),
      hash: entry.hash,
    },
  },
});
