import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, type PolicyRequest } from '../../../lib/domain/policies/decision/facts-of.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import { rightsOf, withdrawableLines } from '../../../lib/domain/policies/law/rights.ts';
import { withStatutoryFloor } from '../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { withdrawalWindows } from '../../../lib/domain/policies/law/withdrawal-window.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { isPublicHoliday } from '../../../lib/domain/policies/time/holidays.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import type { Order, OrderFacts, OrderLine } from '../../../lib/domain/returns/model/order.ts';
import { shipped } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';
import { dateAt, daysLater, endOfDate, isWeekend } from './model/days.ts';
import { policyArbitrary } from './model/generate-policy.ts';

const seed = 20261126;

/** Members of the EU and the EEA, the United Kingdom and Brazil, and the zones in which their days end. */
const places = [
  ['DE', 'Europe/Berlin'],
  ['PT', 'Atlantic/Azores'],
  ['PT', 'Europe/Lisbon'],
  ['ES', 'Atlantic/Canary'],
  ['IE', 'Europe/Dublin'],
  ['BG', 'Europe/Sofia'],
  ['IS', 'Atlantic/Reykjavik'],
  ['NO', 'Europe/Oslo'],
  ['LI', 'Europe/Vaduz'],
  ['GB', 'Europe/London'],
  ['BR', 'America/Sao_Paulo'],
  ['BR', 'America/Rio_Branco'],
] as const;

/** Days whose period ends around a clock change, a holiday, a weekend, a leap day or the end of a year. */
const days = fc.oneof(
  fc.constantFrom('2026-03-15', '2026-10-11', '2026-10-25', '2026-12-11', '2027-03-12', '2027-04-17', '2028-02-15'),
  fc.integer({ min: 0, max: 2_000 }).map((count) => daysLater('2026-01-01', count)),
);
const instants = fc
  .record({ day: days, millisecond: fc.integer({ min: 0, max: 86_399_999 }) })
  .map(({ day, millisecond }) => new Date(Date.parse(`${day}T00:00:00Z`) + millisecond).toISOString());

const workingDay = (country: string, date: string): string => {
  const isFree = country !== 'GB' && (isWeekend(date) || isPublicHoliday({ country }, date));
  return isFree ? workingDay(country, daysLater(date, 1)) : date;
};

const yearLater = (date: string): string => {
  const later = `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;
  return later.endsWith('-02-29') ? `${later.slice(0, 8)}28` : later;
};

/** Returns the end of a right in milliseconds. It shares no code with the law except the table of holidays. */
const expectedEnd = (country: string, zone: string, delivered: string, information: Information): number => {
  const length = country === 'BR' ? 7 : 14;
  const first = dateAt(Date.parse(delivered), zone);
  const usual = workingDay(country, daysLater(first, length));
  if (country === 'BR' || information === undefined) return endOfDate(usual, zone);
  if (information === 'never') return endOfDate(workingDay(country, yearLater(usual)), zone);
  const informed = dateAt(Date.parse(information), zone);
  if (informed > yearLater(first)) return endOfDate(workingDay(country, yearLater(usual)), zone);
  const again = workingDay(country, daysLater(informed, length));
  return endOfDate(again > usual ? again : usual, zone);
};

/** When the consumer was informed; undefined for in time. */
type Information = string | undefined;

const informationFact = (information: Information): Pick<OrderFacts, 'withdrawalInformation'> =>
  information === undefined
    ? {}
    : { withdrawalInformation: information === 'never' ? { given: false } : { given: true, at: information } };

describe('withdrawalWindows', () => {
  it('ends after the last second of the last day, in any zone, with any information', () => {
    const cases = fc.record({
      place: fc.constantFrom(...places),
      delivered: instants,
      information: fc.oneof(
        fc.constantFrom<Information>(undefined, 'never'),
        fc.integer({ min: -30, max: 800 }).map((count) => `${count}`),
      ),
    });
    fc.assert(
      fc.property(cases, ({ place: [country, timeZone], delivered, information: wanted }) => {
        const information =
          wanted === undefined || wanted === 'never'
            ? wanted
            : new Date(Date.parse(delivered) + Number(wanted) * 86_400_000).toISOString();
        const lines = [orderLine({ quantity: 1, deliveries: [{ quantity: 1, at: delivered }] })];
        const facts = order({ country, timeZone, lines, ...informationFact(information) });
        const end = expectedEnd(country, timeZone, delivered, information);
        const at = (time: number) => withdrawalWindows(statutoryRules, facts, new Date(time).toISOString())[0];
        const until = new Date(end).toISOString();
        expect(at(end - 1)).toMatchObject({ right: 'open', until, certain: true });
        expect(at(end)).toMatchObject({ right: 'ended', until, certain: true });
      }),
      { numRuns: runs(2_000), seed },
    );
  });
});

const maybe = <Item>(arbitrary: fc.Arbitrary<Item>) => fc.option(arbitrary, { nil: undefined });

/** Removes unknown facts. */
const known = <Item extends object>(item: Item): { [Name in keyof Item]?: Exclude<Item[Name], undefined> } =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Item]?: Exclude<Item[Name], undefined>;
  };

const requestedAt = '2026-11-21T08:00:00.000Z';
const past = fc.integer({ min: 0, max: 500 }).map((count) => `${daysLater('2026-11-20', -count)}T08:00:00.000Z`);

const lineArbitrary = (lineId: string): fc.Arbitrary<OrderLine> =>
  fc
    .record({
      quantity: fc.integer({ min: 1, max: 3 }),
      fulfilledQuantity: maybe(fc.constantFrom(0, 0, 1)),
      deliveries: maybe(
        fc.oneof(
          fc.constant([]),
          past.map((at) => [{ quantity: 1, at }]),
        ),
      ),
      shippedAt: maybe(past),
      withdrawalExemption: maybe(fc.constantFrom('custom_made', 'sealed_media', 'costum_made')),
      finalSale: maybe(fc.boolean()),
    })
    .map((facts) => orderLine({ lineId, ...known(facts) }));

const orderArbitrary: fc.Arbitrary<Order> = fc
  .record({
    place: fc.constantFrom<readonly [string | undefined, string]>(...places, ['US', 'UTC'], [undefined, 'UTC']),
    saleType: maybe(fc.constantFrom('distance', 'off_premises', 'in_store')),
    buyerIsConsumer: maybe(fc.constantFrom(true, true, false)),
    completeness: maybe(fc.constantFrom('full', 'full', 'partial')),
    placedAt: maybe(past),
    withdrawalInformation: maybe(fc.constantFrom({ given: false }, { given: true })),
    lines: fc.oneof(fc.tuple(lineArbitrary('1')), fc.tuple(lineArbitrary('1'), lineArbitrary('2'))),
  })
  .map(({ place: [country, timeZone], ...facts }) => order(known({ country, timeZone, ...facts })));

const requestOf = ({ facts }: Order, basis: PolicyRequest['basis'], units: (line: OrderLine) => number) => ({
  ...(basis === undefined ? {} : { basis }),
  lines: facts.lines.flatMap((line) =>
    units(line) > 0
      ? [{ orderLineId: line.lineId, quantity: units(line), reason: { code: 'preference.changed_mind' } }]
      : [],
  ),
});

describe('a declared withdrawal', () => {
  it('has the windows that match the rights of its policy', () => {
    fc.assert(
      fc.property(orderArbitrary, (facts) => {
        const claim = requestOf(facts, 'withdrawal', ({ quantity }) => quantity);
        const rights = rightsOf(statutoryRules, facts, claim, requestedAt);
        for (const { orderLineId, right, law, until, certain } of withdrawalWindows(
          statutoryRules,
          facts,
          requestedAt,
        )) {
          const held = (rights.get(orderLineId) ?? []).filter((one) => one.claim === 'withdrawal');
          const uninformed = held[0]?.uninformed;
          expect(held).toEqual(
            right === 'open'
              ? [{ law, claim: 'withdrawal', until, certain, ...(uninformed === undefined ? {} : { uninformed }) }]
              : [],
          );
        }
      }),
      { numRuns: runs(1_000), seed },
    );
  });

  it('is rejected by no policy while the right is live, and takes shipped units', () => {
    let live = 0;
    let underWay = 0;
    fc.assert(
      fc.property(orderArbitrary, policyArbitrary, (facts, policy) => {
        const claim = requestOf(facts, 'withdrawal', ({ quantity }) => quantity);
        const rights = rightsOf(statutoryRules, facts, claim, requestedAt);
        const surroundings = { requestedAt, rights, liablePartyOf: () => undefined, customer: {}, kept: {} };
        const input = factsOf(facts, claim, surroundings);
        if (input === undefined) throw new Error('a line is missing');
        const { lines, verdict } = evaluate(compilePolicy(policy), input);
        const open = withdrawableLines(statutoryRules, facts, claim, requestedAt);
        live += open.size;
        expect(lines.filter(({ orderLineId, verdict: one }) => open.has(orderLineId) && one === 'ineligible')).toEqual(
          [],
        );
        expect(open.size > 0 && verdict === 'rejected').toBe(false);

        const sent = requestOf(facts, 'withdrawal', (line) => (open.has(line.lineId) ? shipped(line) : 0));
        if (sent.lines.length === 0) return;
        const terms = withStatutoryFloor(statutoryRules, defaultTerms, facts, sent, requestedAt);
        const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['rln_1', 'rln_2'], subject: 'shopify:7' };
        const situation = { order: facts, ledger: emptyLedger, now: requestedAt, withdrawable: open };
        expect(createReturn(situation, sent, terms, ids)).toMatchObject({ ok: true });
        const undelivered = facts.facts.lines.filter(({ fulfilledQuantity }) => fulfilledQuantity === 0);
        underWay += undelivered.filter(({ lineId }) => sent.lines.some((one) => one.orderLineId === lineId)).length;
      }),
      { numRuns: runs(2_000), seed },
    );
    expect(live).toBeGreaterThan(runs(800));
    expect(underWay).toBeGreaterThan(runs(100));
  });
});
