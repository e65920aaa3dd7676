import type Type from 'typebox';
import { command, creating, reading } from '../entry.ts';
import { at, customer, ref } from '../example-story.ts';
import { PageQuery } from '../scalars.ts';
import { WithdrawalHistory, WithdrawalVerification } from './history.ts';
import {
  DeclaredWithdrawal,
  NewWithdrawal,
  SentReceipt,
  Withdrawal,
  WithdrawalAnswer,
  WithdrawalList,
  WithdrawalMatch,
  WithdrawalPath,
  WithdrawalQuery,
  WithdrawalReceipt,
  WithdrawnDeclaration,
} from './withdrawal.ts';

const withdrawalId = 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5';
const content = { name: customer.name, email: customer.email, contract: '#1001' };
const sha256 = '6ee0eb490ff832101cf82a3d387c35f29e4230be786978f7acf9e811febf6723';
const head = { withdrawalId, declaredAt: at.requested };
const signed = { sha256, keyId: 'first' };
const sent = { sentAt: at.decided, channel: 'email' as const, reference: 'msg_1' };
const match = { order: ref, lines: [{ orderLineId: '1', quantity: 1 }] };
const answer = {
  answer: 'no_right' as const,
  law: 'EU 2011/83',
  rule: '2011/83/EU#16.e',
  source: 'https://eur-lex.europa.eu/eli/dir/2011/83/oj',
};
const common = { language: 'en' as const, createdAt: at.requested, updatedAt: at.requested };

const stored: Type.Static<typeof Withdrawal> = {
  ...head,
  status: 'declared',
  platform: ref.platform,
  timeZone: 'Europe/Berlin',
  receipt: { status: 'due', ...signed },
  ...common,
  version: 2,
};
const changed = { ...stored, updatedAt: at.decided, version: 3 };
const entry: Type.Static<typeof WithdrawalHistory>['items'][number] = {
  sequence: 2,
  type: 'withdrawal.receipt_due',
  at: at.requested,
  actor: { clientId: 'shop-backend' },
  data: { withdrawalId, receipt: signed },
  causationId: 'Ud3kXgZ4FiAEMkg=',
  correlationId: '4bf92f3577b34da6a3ce929d0e0e4736',
  previousHash: '0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f',
  hash: '4d3f0a57bc04cba2a0a1b9fd1ab10e8d6bb0c4e1be4a4cbe1c5b0e2f2f9d7c31',
};
const statement = 'I hereby give notice that I withdraw from my contract.';

/* The operations on declarations of withdrawal. */

export const declareWithdrawal = creating({
  path: '/withdrawals',
  scope: 'returns:write',
  summary: 'Declare a withdrawal from a contract',
  description:
    'No known order, reason or login is needed. `declaredAt` and `source` are for platforms, and need returns:admin or a client in the parameter PlatformClients.\n\nThe service stores the declaration and signs a receipt with the time. It emits `withdrawal.declared` and `withdrawal.receipt_due`. It does not look for the order, so the response never shows whether one is known.\n\nAn equal declaration is answered with 200 and the first response, whatever happened since, unless the first one is withdrawn. Differences of case and white space do not count. The same `source` is answered with the first one in any status.',
  body: NewWithdrawal,
  answers: DeclaredWithdrawal,
  localized: true,
  success: [200, 201],
  errors: [],
  example: {
    body: { ...content, platform: ref.platform, timeZone: 'Europe/Berlin' },
    output: { ...head, receipt: { status: 'due', ...signed }, version: 2 },
  },
});

export const listWithdrawals = reading({
  path: '/withdrawals',
  scope: 'returns:read',
  summary: 'List withdrawals, the newest first',
  description:
    'Returns withdrawals without personal data. `include=declaration` adds the texts of the consumers. Several filters apply together. `sort` selects the order, the latest first: by creation, or by the last change, which a reminder is too. The list is eventually consistent. A page may be short or empty and still have a next page.\n\nA withdrawal that changes before its page is read moves ahead in the order by `updatedAt`. To find it, list again with `updatedFrom` set to the start time.',
  tool: {
    use: 'Use it for declarations of withdrawal that wait for staff.',
    input: ['status', 'receipt', 'refund', 'sort', 'limit', 'cursor'],
  },
  query: WithdrawalQuery,
  answers: WithdrawalList,
  errors: ['invalid_cursor'],
  example: {
    output: {
      items: [{ ...head, status: 'declared', platform: ref.platform, receipt: 'due', ...common, version: 2 }],
      nextCursor: null,
    },
  },
});

export const getWithdrawal = reading({
  path: '/withdrawals/{withdrawalId}',
  scope: 'returns:read',
  summary: 'Read a withdrawal with the texts of the consumer',
  description:
    'After an erasure of the person, `declaration` is absent and `erased` is true. The hash of the receipt stays.',
  tool: { use: 'Use it to read one declaration of withdrawal.' },
  params: WithdrawalPath,
  answers: Withdrawal,
  errors: ['withdrawal_not_found'],
  example: { output: { ...stored, declaration: content } },
});

export const getWithdrawalReceipt = reading({
  path: '/withdrawals/{withdrawalId}/receipt',
  scope: 'returns:read',
  summary: 'Read the receipt of a withdrawal',
  description:
    'Returns the signed receipt, and texts for a mail or a page in the language of the consumer. Send one of them on a durable medium without undue delay, then report it with `recordReceiptSent`.\n\nAfter an erasure of the person, the response is `receipt_erased`.',
  params: WithdrawalPath,
  answers: WithdrawalReceipt,
  errors: ['withdrawal_not_found', 'receipt_erased'],
  example: {
    output: {
      withdrawalId,
      jws: 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImZpcnN0IiwidHlwIjoid2l0aGRyYXdhbC1yZWNlaXB0K2p3dCJ9.eyJqdGkiOiJ3ZHJfIn0.c2lnbmF0dXJl',
      ...signed,
      payload: {
        jti: withdrawalId,
        timeZone: 'Europe/Berlin',
        content: { ...content, statement },
        chain: { sequence: 1, hash: entry.previousHash },
      },
      text: 'Receipt of your withdrawal',
      html: '<!doctype html>',
      language: 'en',
    },
  },
});

export const getWithdrawalHistory = reading({
  path: '/withdrawals/{withdrawalId}/history',
  scope: 'returns:read',
  summary: 'Read the history of a withdrawal',
  description:
    'Returns the oldest entry first. Each entry contains the hash of the previous entry.\n\n- `data` is unchanged since it was recorded, because the hash covers it. The texts of the consumer appear as salted digests.\n- `actor.onBehalfOf` names the person or client that the caller acted for, until it is erased.',
  params: WithdrawalPath,
  query: PageQuery,
  answers: WithdrawalHistory,
  errors: ['withdrawal_not_found', 'invalid_cursor'],
  example: { output: { items: [entry], nextCursor: null } },
});

export const verifyWithdrawalHistory = reading({
  path: '/withdrawals/{withdrawalId}/history/verification',
  scope: 'returns:read',
  summary: 'Verify the history of a withdrawal',
  description:
    'Checks all entries from the first one to the current withdrawal, as `verifyHistory` does for a return. It also checks the stored texts and the stored receipt against the digests in the history, and the history against the last anchor.\n\nThe status is 200 for a valid and for a broken history. `firstFault` shows the first failure.\n\n`proof` is what `npm run verify` expects as `proof.json`. It is absent until the next anchor contains the withdrawal.',
  params: WithdrawalPath,
  answers: WithdrawalVerification,
  errors: ['withdrawal_not_found'],
  example: { output: { withdrawalId, entries: 2, valid: true, head: entry.hash } },
});

export const recordReceiptSent = command({
  path: '/withdrawals/{withdrawalId}/receipt/sent',
  summary: 'Record that the consumer has the receipt',
  description:
    'The withdrawal may have any status. The receipt becomes `sent`, and its reminders end. The service emits `withdrawal.receipt_sent`.\n\nThe first report counts. The same report again changes nothing, and another one gets `invalid_transition`.',
  params: WithdrawalPath,
  body: SentReceipt,
  answers: Withdrawal,
  errors: ['withdrawal_not_found', 'invalid_transition', 'version_mismatch'],
  example: { body: sent, output: { ...changed, receipt: { status: 'sent', ...signed, sent } } },
});

export const matchWithdrawal = command({
  path: '/withdrawals/{withdrawalId}/match',
  summary: 'Match a withdrawal to an order',
  description:
    'The withdrawal is `declared`, `answered`, or `matched` without an effect. The order is registered. Without `lines`, the consumer means the whole order. The service matches a declaration without `lines` by itself when its order number and its e-mail address match one order.\n\nThe match has its effect in the same write, on units with the right of withdrawal at `declaredAt`. Units that are not shipped are held in `cancelled`, and the service emits `withdrawal.cancellation_due`. `refund` shows until when to pay for them, and whether `recordRefund` has. Shipped units become a return of basis `withdrawal`, with the deadlines of the law and without a fee. If the shop ships held units anyway, the next registration of the order makes a return of them. Units in a return, or refunded without one, have no further effect.\n\nUnits without the right are in `denied`. If all are, the withdrawal becomes `answered` with the rule. Otherwise it becomes `matched`. An erasure of the customer or of the order also erases the declaration.\n\nThe same match on the same facts changes nothing. While no match had an effect, register right facts of the order, or name another order, and match again. Other matches get `invalid_transition`.',
  params: WithdrawalPath,
  body: WithdrawalMatch,
  answers: Withdrawal,
  errors: [
    'withdrawal_not_found',
    'invalid_transition',
    'version_mismatch',
    'order_not_found',
    'order_line_not_found',
    'quantity_exceeds_returnable',
  ],
  example: { body: match, output: { ...changed, status: 'matched', match: { ...match, at: at.decided } } },
});

export const answerWithdrawal = command({
  path: '/withdrawals/{withdrawalId}/answer',
  summary: 'Answer that there is no right of withdrawal',
  description:
    'The withdrawal is `matched`, without held units and returns. It becomes `answered`, with the rule that excludes the right and its source. The service emits `withdrawal.answered` without the note.\n\nTell the consumer yourself: the service sends no mail.',
  params: WithdrawalPath,
  body: WithdrawalAnswer,
  answers: Withdrawal,
  errors: ['withdrawal_not_found', 'invalid_transition', 'version_mismatch'],
  example: {
    body: answer,
    output: {
      ...changed,
      status: 'answered',
      match: { ...match, at: at.decided },
      answer: { ...answer, at: at.decided },
      version: 4,
    },
  },
});

export const withdrawWithdrawal = command({
  path: '/withdrawals/{withdrawalId}/withdraw',
  summary: 'Withdraw a declaration made by mistake',
  description:
    'The withdrawal is `declared` or `matched`. It becomes `withdrawn`, and held units are free to be shipped. Cancel its returns first. Reminders of its receipt end. The service emits `withdrawal.withdrawn`.\n\nThe consumer may declare the same again, which makes a new withdrawal.',
  params: WithdrawalPath,
  body: WithdrawnDeclaration,
  answers: Withdrawal,
  errors: ['withdrawal_not_found', 'invalid_transition', 'version_mismatch'],
  example: {
    body: { reason: 'mistake' },
    output: { ...changed, status: 'withdrawn', withdrawn: { reason: 'mistake', at: at.decided } },
  },
});
