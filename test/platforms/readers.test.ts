import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../lib/runtime/json.ts';
import type { OrderFacts } from '../../lib/platforms/platform.ts';
import { orderErrors } from '../../lib/returns/commands/order/order-errors.ts';
import { faults } from './faults.ts';
import { hearLines } from '../support/standard-output.ts';
import { orders, refunds, type MoneyRead, type OrderCase } from './readers-cases.ts';
import { runs } from '../support/samples.ts';

/* Every reader against real shapes in which something is not as it should be: read exactly, or named; never guessed. */

// Each answer that is odd is logged.
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

/** What may be in the place of a value; `undefined` takes it away. */
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

/** What each line was paid with, tax inside. */
const paidFor = ({ lines }: OrderFacts): readonly number[] =>
  lines.map(
    ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }) =>
      unitPrice.amount * quantity - (discountTotal?.amount ?? 0) + (taxIncluded === true ? 0 : (taxTotal?.amount ?? 0)),
  );

const isNamed = (reason: string): boolean => /^[a-z][a-z0-9_]*$/.test(reason);
/** Alike but for an extra digit, which may be rounded. */
const isAlike = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((amount, index) => Math.abs(amount - (others[index] ?? 0)) < 2);
const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** `exact`, `named`, or what is wrong. */
const orderVerdict = (facts: ReturnType<OrderCase['read']>, expected: readonly number[]): string => {
  if (!facts.ok) return isNamed(facts.failure.reason) ? 'named' : `an odd reason: ${facts.failure.reason}`;
  const { completeness, discrepancies = [] } = facts.value;
  const codes = discrepancies.map(({ code }) => code);
  if (!codes.every(isNamed)) return `odd codes: ${codes.join()}`;
  if ((completeness === 'partial') !== codes.length > 0) return `${completeness} with ${codes.length} discrepancies`;
  // The service refuses facts like these by the field that is wrong: the delivery is parked with it.
  if ([...faults('registerOrder', facts.value), ...orderErrors(facts.value)].length > 0) return 'named';
  if (completeness === 'partial') return 'named';
  const paid = paidFor(facts.value);
  return isAlike(paid, expected) ? 'exact' : `${paid.join()} instead of ${expected.join()}`;
};

const moneyVerdict = ({ amounts, unread }: MoneyRead, expected: readonly number[], isUntold: boolean): string => {
  if (unread !== undefined) return isNamed(unread) ? 'named' : `an odd reason: ${unread}`;
  // Where it cannot be told that money has moved, less of it is seen, never more.
  const isRight = isUntold ? sum(amounts) < sum(expected) + 2 : isAlike(amounts, expected);
  return isRight ? 'exact' : `${amounts.join()} instead of ${expected.join()}`;
};

const good = /^(?:exact|named)$/;

describe.each(Object.entries(orders))('an order of %s', (_, { document, read }) => {
  const whole = read(document);
  if (!whole.ok) throw new Error(whole.failure.reason);
  const expected = paidFor(whole.value);

  test('is read in whole as it is', () => {
    expect(whole.value).toMatchObject({ completeness: 'full', discrepancies: [] });
    expect(orderVerdict(whole, expected)).toBe('exact');
  });

  test('is read exactly, or names what it lacks, whatever of it is missing or odd', () => {
    fc.assert(
      fc.property(mutationsOf(document), (mutations) => {
        expect(orderVerdict(read(mutate(document, mutations)), expected)).toMatch(good);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe.each(Object.entries(refunds))('money that %s gave back', (_, { document, read, tells }) => {
  const { amounts, unread } = read(document);

  test('is read as it is', () => {
    expect(unread).toBeUndefined();
    expect(amounts.length).toBeGreaterThan(0);
  });

  test('is read exactly, or named, whatever of it is missing or odd', () => {
    fc.assert(
      fc.property(mutationsOf(document), (mutations) => {
        const isUntold = mutations.some(({ path }) => path.some((step) => tells.includes(String(step))));
        expect(moneyVerdict(read(mutate(document, mutations)), amounts, isUntold)).toMatch(good);
      }),
      { numRuns: runs(150) },
    );
  });
});
