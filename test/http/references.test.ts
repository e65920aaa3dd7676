import { describe, expect, it } from 'vitest';
import { exchangeResult, recordRecovery, recordRefund, recordRefundResult } from '../../lib/contract/operations.ts';
import { flatInputValidator } from '../../lib/http/with-validation.ts';
import type { Validators } from '../../lib/http/input.ts';
import { providerReference } from '../../lib/platforms/shared/fields/fields.ts';

const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const eur = { amount: 100, currency: 'EUR' };

/** Each reference that a caller may give, and the rest of its request. */
const given = [
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

const cases = given.map(([operation, field, request]) => ({ name: operation.name, operation, field, request }));

describe.each(cases)('$name takes in $field', ({ operation, field, request }) => {
  const check = async (value: string) => {
    const validators = (await import(`../../dist/contract/validators/${operation.name}.js`)) as Validators;
    return flatInputValidator(operation, validators)({ ...request, [field]: value });
  };

  it.each(references)('a reference: %j', async (value) => {
    expect(await check(value)).toMatchObject({ ok: true });
  });

  it.each(texts)('no text, which could tell of a person in events and exports: %j', async (value) => {
    expect(await check(value)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ path: `/${field}` }] },
    });
  });
});

it('leaves out what a platform has for a reference and is none, so that the refund is taken all the same', () => {
  expect(references.map(providerReference)).toEqual(references);
  expect([...texts, 'x'.repeat(201), null, 7].filter((value) => providerReference(value) !== undefined)).toEqual([]);
});
