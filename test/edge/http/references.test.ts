import { describe, expect, it } from 'vitest';
import { exchangeResult, recordRecovery, recordRefund, recordRefundResult } from '../../../lib/contract/operations.ts';
import { flatInputValidator } from '../../../lib/contract/validation/with-validation.ts';
import type { Validators } from '../../../lib/contract/validation/input.ts';
import { providerReference } from '../../../lib/shops/platforms/shared/fields/fields.ts';

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const eur = { amount: 100, currency: 'EUR' };

/** Each field for a reference, and the rest of its request. */
const referenceFields = [
  [recordRecovery, 'reference', { returnId, amount: eur }],
  [recordRefundResult, 'providerRef', { returnId, refundId: 'rfd_01KAJ3V9Z8QW4T6R2M5N7P0XYB', status: 'failed' }],
  [recordRefundResult, 'code', { returnId, refundId: 'rfd_01KAJ3V9Z8QW4T6R2M5N7P0XYB', status: 'failed' }],
  [exchangeResult, 'externalRef', { returnId, exchangeId: 'exc_01KAJ3V9Z8QW4T6R2M5N7P0XYB', status: 'ordered' }],
  [
    recordRefund,
    'providerRef',
    { platform: 'web', orderId: '1', externalId: '1', amount: eur, occurredAt: '2026-11-20T08:00:00Z' },
  ],
] as const;

const references = ['pi_3Nf9', '#1002', '8815-6012:A/1', 'c2VjcmV0+/==', 'PSP|1~2', 'insufficient_funds'];
const texts = ['paid to Ada Marker', 'ada@example.com', 'Jürgen', 'a\tb', '+49 171 1', ''];

const cases = referenceFields.map(([operation, field, request]) => ({
  name: operation.name,
  operation,
  field,
  request,
}));

describe.each(cases)('$name $field', ({ operation, field, request }) => {
  const check = async (value: string) => {
    const validators = (await import(`../../../dist/contract/validators/${operation.name}.js`)) as Validators;
    return flatInputValidator(operation, validators)({ ...request, [field]: value });
  };

  it.each(references)('accepts a reference: %j', async (value) => {
    expect(await check(value)).toMatchObject({ ok: true });
  });

  it.each(texts)(
    'rejects text, which may contain personal data that events and exports would show: %j',
    async (value) => {
      expect(await check(value)).toMatchObject({
        ok: false,
        failure: { code: 'invalid_request', errors: [{ path: `/${field}` }] },
      });
    },
  );
});

it('providerReference omits an invalid reference of a platform, so that the refund is still recorded', () => {
  expect(references.map(providerReference)).toEqual(references);
  expect([...texts, 'x'.repeat(201), null, 7].filter((value) => providerReference(value) !== undefined)).toEqual([]);
});
