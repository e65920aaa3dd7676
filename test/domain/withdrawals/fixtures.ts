import fc from 'fast-check';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { deriveReceiptKey, receiptJwks } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { receiptPayload, signReceipt, type ReceiptInput } from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { ringOf, ringText } from '../../support/history-keys.ts';

/** The ring of receipt keys of these tests. */
export const receiptRing = ringOf(ringText(['first', 'second']));

/** Its published keys. */
export const jwks = receiptJwks(receiptRing);

/** What a receipt is made from. */
export const receiptInput = (changes: Partial<ReceiptInput> = {}): ReceiptInput => ({
  issuer: 'https://receipts.example.com',
  withdrawalId: 'wdr_01KB0000000000000000000000',
  declaredAt: '2026-11-26T02:00:12.345Z',
  timeZone: 'Europe/Berlin',
  content: { name: 'Jana Muster', email: 'jana@example.com', contract: 'Order #1001', lines: '2 × shirt' },
  language: 'de',
  entryHash: 'ab'.repeat(32),
  ...changes,
});

/** Signs a receipt with the current key. */
export const signed = (changes: Partial<ReceiptInput> = {}, key = receiptRing.current) =>
  signReceipt(receiptPayload(receiptInput(changes)), deriveReceiptKey(key));

const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength });

/** Any declaration that the API accepts. */
export const anyInput: fc.Arbitrary<ReceiptInput> = fc
  .record({
    declaredAt: fc.date({ min: new Date('2026-06-19'), max: new Date('2099-12-31'), noInvalidDate: true }),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Atlantic/Azores', 'America/Sao_Paulo', 'Asia/Kathmandu'),
    language: fc.constantFrom(...languages),
    content: fc.record(
      { name: text(200), email: text(320), contract: text(200), lines: text(2_000) },
      { requiredKeys: ['name', 'email', 'contract'] },
    ),
  })
  .map((input) => receiptInput({ ...input, declaredAt: input.declaredAt.toISOString() }));
