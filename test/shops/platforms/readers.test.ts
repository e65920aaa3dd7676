import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import type { OrderFacts } from '../../../lib/shops/platforms/platform.ts';
import { orderErrors } from '../../../lib/domain/returns/commands/order/order-errors.ts';
import { fieldErrors } from './field-errors.ts';
import { hearLines } from '../../support/standard-output.ts';
import { orders, refunds, type MoneyRead, type OrderCase } from './readers-cases.ts';
import { runs } from '../../support/samples.ts';

/* Every reader on real documents with wrong parts: the result is exact or has a reason, and is never guessed. */

// The readers log each odd answer.
hearLines(() => undefined);

type Path = readonly (string | number)[];

const pathsIn = (value: unknown, at: Path = []): readonly Path[] => {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]) => [[...at, key], ...pathsIn(inner, [...at, key])]);
};

/** Changes of a value; `undefined` removes it. */
const changes: Readonly<Record<string, (value: unknown) => unknown>> = {
  null: () => null,
  absent: () => undefined,
  'as text': (value) => (typeof value === 'number' ? String(value) : value),
  'as a number': (value) => (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
  'an unknown word': (value) => (typeof value === 'string' && !/\d/.test(value) ? 'ADDED_SINCE' : value),
  'with extra digits': (value) => {
    if (typeof value === 'number') return Number.isInteger(value) ? value + 0.001 : Number(`${value}004`);
    return typeof value === 'string' && /^\d+\.\d+$/.test(value) ? `${value}004` : value;
  },
};

const changed = (value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown => {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    const list = value.map((one: unknown, index) => (index === key ? changed(one, rest, change) : one));
    return list.filter((one) => one !== undefined);
  }
  if (!isObject(value)) return value;
  const next = changed(value[key], rest, change);
  return Object.fromEntries(
    Object.entries({ ...value, [key]: next }).filter(([name, one]) => name !== key || one !== undefined),
  );
};

type Mutation = { readonly path: Path; readonly change: string };

const mutate = (document: JsonObject, mutations: readonly Mutation[]): JsonObject => {
  let mutated: unknown = document;
  for (const { path, change } of mutations) mutated = changed(mutated, path, changes[change] ?? ((value) => value));
  return isObject(mutated) ? mutated : {};
};

const mutationsOf = (document: JsonObject) =>
  fc.array(
    fc.record({ path: fc.constantFrom(...pathsIn(document)), change: fc.constantFrom(...Object.keys(changes)) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  );

/** Returns the paid gross amount of each line. */
const paidFor = ({ lines }: OrderFacts): readonly number[] =>
  lines.map(
    ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }) =>
      unitPrice.amount * quantity - (discountTotal?.amount ?? 0) + (taxIncluded === true ? 0 : (taxTotal?.amount ?? 0)),
  );

const isNamed = (reason: string): boolean => /^[a-z][a-z0-9_]*$/.test(reason);
/** Compares amounts, and ignores the rounding of an extra digit. */
const isAlike = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((amount, index) => Math.abs(amount - (others[index] ?? 0)) < 2);
const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** Returns `exact`, `named`, or a description of the failure. */
const orderResult = (facts: ReturnType<OrderCase['read']>, expected: readonly number[]): string => {
  if (!facts.ok) return isNamed(facts.failure.reason) ? 'named' : `an odd reason: ${facts.failure.reason}`;
  const { completeness, discrepancies = [] } = facts.value;
  const codes = discrepancies.map(({ code }) => code);
  if (!codes.every(isNamed)) return `odd codes: ${codes.join()}`;
  if ((completeness === 'partial') !== codes.length > 0) return `${completeness} with ${codes.length} discrepancies`;
  const rejected = orderErrors(facts.value).filter(({ path }) => /\/(?:taxTotal|discountTotal|deliveries)$/.test(path));
  if (rejected.length > 0) return `rejected: ${rejected.map(({ path }) => path).join()}`;
  // The service rejects these facts with a field error, and parks the delivery with it.
  if ([...fieldErrors('registerOrder', facts.value), ...orderErrors(facts.value)].length > 0) return 'named';
  if (completeness === 'partial') return 'named';
  const paid = paidFor(facts.value);
  return isAlike(paid, expected) ? 'exact' : `${paid.join()} instead of ${expected.join()}`;
};

const moneyResult = ({ amounts, unread }: MoneyRead, expected: readonly number[], isUntold: boolean): string => {
  if (unread !== undefined) return isNamed(unread) ? 'named' : `an odd reason: ${unread}`;
  // An unreadable status may hide a refund, but never adds one.
  const isRight = isUntold ? sum(amounts) < sum(expected) + 2 : isAlike(amounts, expected);
  return isRight ? 'exact' : `${amounts.join()} instead of ${expected.join()}`;
};

const good = /^(?:exact|named)$/;

describe.each(Object.entries(orders))('order reader of %s', (_, { document, read }) => {
  const whole = read(document);
  if (!whole.ok) throw new Error(whole.failure.reason);
  const expected = paidFor(whole.value);

  test('reads the unchanged document as full', () => {
    expect(whole.value).toMatchObject({ completeness: 'full', discrepancies: [] });
    expect(orderResult(whole, expected)).toBe('exact');
  });

  test('reads exactly or names the reason for any missing or odd part', () => {
    fc.assert(
      fc.property(mutationsOf(document), (mutations) => {
        expect(orderResult(read(mutate(document, mutations)), expected)).toMatch(good);
      }),
      { numRuns: runs(150, 4) },
    );
  });
});

describe.each(Object.entries(refunds))('refund reader of %s', (_, { document, read, statusFields }) => {
  const { amounts, unread } = read(document);

  test('reads the unchanged document', () => {
    expect(unread).toBeUndefined();
    expect(amounts.length).toBeGreaterThan(0);
  });

  test('reads exactly or names the reason for any missing or odd part', () => {
    fc.assert(
      fc.property(mutationsOf(document), (mutations) => {
        const isUntold = mutations.some(({ path }) => path.some((step) => statusFields.includes(String(step))));
        expect(moneyResult(read(mutate(document, mutations)), amounts, isUntold)).toMatch(good);
      }),
      { numRuns: runs(150) },
    );
  });
});
