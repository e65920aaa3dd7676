import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { snapshotErrors } from '../field-errors.ts';
import { account, input, order, output, request, requestId, startAccount, step } from '../vtex-account.ts';
import { runs } from '../../../support/samples.ts';
import { translator } from '../../../../lib/shops/platforms/vtex/platform.ts';

const vtex = await startAccount();

afterAll(vtex.close);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Returns the path of every value in a document. */
const pathsIn = (document: Json, before: readonly string[] = []): readonly (readonly string[])[] =>
  typeof document === 'object' && document !== null
    ? Object.entries(document).flatMap(([name, inner]) => [[...before, name], ...pathsIn(inner, [...before, name])])
    : [];

const replaced = (document: Json, [name, ...rest]: readonly string[], value: Json): Json => {
  if (name === undefined) return value;
  // An earlier change has removed the parent.
  if (typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document))
    return (document as readonly Json[]).map((one, index) =>
      String(index) === name ? replaced(one, rest, value) : one,
    );
  const fields = document as { readonly [name: string]: Json };
  return { ...fields, [name]: replaced(fields[name] ?? null, rest, value) };
};

const anyValue = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    0.5,
    2 ** 60,
    1e300,
    '',
    ' ',
    'x',
    'ä/ü',
    '😀'.repeat(300),
    [],
    {},
    [null],
    [[]],
  ),
  fc.string().map((text): Json => text),
);
const changedIn = (document: Json) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsIn(document)), anyValue), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((all, [path, value]) => replaced(all, path, value), document));

const asJson = (document: unknown): Json => JSON.parse(JSON.stringify(document)) as Json;
const whole = {
  order: asJson(order({ packageAttachment: { packages: [output(), input(), input({ invoiceNumber: requestId })] } })),
  request: asJson(
    request({
      status: 'amountRefunded',
      refundStatusData: [step('new', '2026-10-10T10:00:00Z'), step('amountRefunded', '2026-10-15T10:00:00Z')],
      refundData: {
        invoiceNumber: requestId,
        invoiceValue: 4200,
        refundedShippingValue: 200,
        items: [{ orderItemIndex: 0, id: '1234568', quantity: 1, restockFee: 500, price: 4500 }],
      },
    }),
  ),
};

const kinds = new Set<string>();

const check = async (topic: 'order' | 'return-request', body: Record<string, string>) => {
  const outcome = await translator.prepare({ source: account, topic, body }, Date.now() + 10_000);
  kinds.add(outcome.kind);
  return outcome.kind === 'snapshot' ? snapshotErrors(outcome) : [];
};

describe('VTEX prepare', () => {
  test('never throws for any answers of the APIs, and returns only snapshots that the contract accepts', async () => {
    const documents = fc.record({
      order: fc.oneof(fc.constant(whole.order), changedIn(whole.order)),
      request: fc.oneof(fc.constant(whole.request), changedIn(whole.request)),
    });
    await fc.assert(
      fc.asyncProperty(documents, async (changed) => {
        vtex.putAs('v52277740atmc-01', changed.order);
        vtex.putAs(requestId, changed.request);
        expect(await check('order', { OrderId: 'v52277740atmc-01' })).toEqual([]);
        expect(await check('return-request', { id: requestId })).toEqual([]);
      }),
      { numRuns: runs(200), seed: 20261125 },
    );
    expect(kinds).toContain('snapshot');
    expect(kinds).toContain('parked');
  });

  test('parks an order with too many lines before it reads them', async () => {
    const [line] = order()['items'] as readonly Record<string, unknown>[];
    // An unreadable line would otherwise be the reason.
    vtex.putAs('v52277740atmc-01', order({ items: [...Array.from({ length: 500 }, () => line), null] }));
    const body = { OrderId: 'v52277740atmc-01' };
    expect(await translator.prepare({ source: account, topic: 'order', body }, Date.now() + 30_000)).toEqual({
      kind: 'parked',
      reason: 'order_too_large',
    });
  });
});
