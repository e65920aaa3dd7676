import fc, { type Arbitrary } from 'fast-check';
import {
  phases,
  type Phase,
  type Policy,
  type Rule,
  type WindowTerms,
} from '../../../../lib/domain/policies/policy.ts';
import { conditions, conductConditions, namedConditions, type Scope } from './generate-conditions.ts';

const scopes: Readonly<Record<Phase, Scope>> = {
  list: 'whole',
  exclusion: 'line',
  window: 'line',
  requirement: 'line',
  limit: 'whole',
  resolution: 'line',
  fee: 'whole',
  logistics: 'whole',
  settlement: 'whole',
  approval: 'whole',
};

const anchor = fc.constantFrom('delivered', 'last_item_delivered', 'shipped', 'placed');
const days = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 7, 14, 30) },
  { weight: 1, arbitrary: fc.nat(400) },
);

const dates = [
  '2024-02-29',
  '2025-12-24',
  '2026-03-28',
  '2026-03-29',
  '2026-04-24',
  '2026-10-25',
  '2026-12-31',
  '2027-01-31',
];
const season = fc
  .subarray(dates, { minLength: 2, maxLength: 3 })
  .map(([from = '', to = '', until = to]) => ({ from, to, until }));

const optional = { requiredKeys: ['anchor', 'days'] as ('anchor' | 'days')[] };
const windowTerms: Arbitrary<WindowTerms> = fc.record(
  {
    anchor,
    days,
    graceDays: fc.constantFrom(0, 1, 3),
    roll: fc.constantFrom('none', 'next_working_day', 'next_working_day'),
    fallback: fc.record({ anchor, days }),
    seasonal: fc.array(season, { maxLength: 2 }),
  },
  optional,
);

const bps = fc.constantFrom(0, 1_500, 10_000);
const money = fc.record({
  amount: fc.constantFrom(0, 500, 1_000_000_000_000),
  currency: fc.constantFrom('EUR', 'BRL'),
});
/** Fees that rules may set by facts of a line. */
const lineFee = fc.oneof(
  fc.record({ type: fc.constant('restocking' as const), bps, cap: money }, { requiredKeys: ['type', 'bps'] }),
  fc.record({ type: fc.constant('inspection' as const), bps }),
);
const fee = fc.oneof(
  { weight: 2, arbitrary: lineFee },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('return_shipping' as const), amount: money }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('promotion' as const) }) },
);

const codes = fc.constantFrom('final_sale', 'hygiene', 'too_many', 'not_here');
const resolutions = ['refund', 'exchange', 'store_credit', 'repair', 'none'] as const;

/** The effects that each phase allows, with only the rule members of that phase. */
const sayings = {
  list: fc.oneof(
    fc.record({ block: codes }),
    fc.record({ exempts: fc.subarray(['exclusion', 'window', 'requirement', 'limit'], { minLength: 1 }) }),
  ),
  exclusion: fc.record({ deny: codes }),
  window: fc.record({ window: windowTerms }),
  requirement: fc.oneof(
    fc.record({ deny: codes }),
    fc.record({ require: fc.subarray(['note', 'evidence'], { minLength: 1 }) }),
  ),
  limit: fc.record({ deny: codes }),
  resolution: fc.record({ resolutions: fc.subarray([...resolutions], { minLength: 2 }) }),
  fee: fc.record({ fee }),
  logistics: fc.oneof(
    fc.record({ returnless: fc.constant(true) }),
    fc.record({ shipping: fc.constantFrom('none', 'proportional', 'full_if_whole_order', 'statutory') }),
    fc.record({ shipByDays: fc.constantFrom(0, 14, 3_650) }),
  ),
  settlement: fc.oneof(
    fc.record({ inspection: fc.constantFrom('required', 'skipped') }),
    fc.record({ refundTiming: fc.constantFrom('approved', 'in_transit', 'received', 'inspected') }),
  ),
  approval: fc.oneof(
    { weight: 5, arbitrary: fc.record({ approval: fc.constantFrom('auto', 'auto', 'manual') }) },
    { weight: 1, arbitrary: fc.record({ approval: fc.constant('reject'), deny: codes }) },
  ),
} satisfies Record<Phase, Arbitrary<object>>;

/** A rule of a phase. Its position sets its id and text later. */
const ruleOf = (phase: Phase): Arbitrary<Rule> => {
  const ofPhase = ruleWith(phase, sayings[phase], scopes[phase]);
  if (phase === 'fee') return fc.oneof(ofPhase, ruleWith(phase, fc.record({ fee: lineFee }), 'line'));
  return phase === 'approval'
    ? fc.oneof({ weight: 2, arbitrary: ofPhase }, { weight: 1, arbitrary: askingRule })
    : ofPhase;
};

const ruleWith = (phase: Phase, saying: Arbitrary<object>, scope: Scope): Arbitrary<Rule> =>
  fc
    .record({
      saying,
      when: fc.oneof(
        { weight: 7, arbitrary: conditions[scope] },
        // Rules without a condition hide the others, so they are rare.
        {
          weight: 'window fee logistics settlement approval'.includes(phase) ? 3 : 0,
          arbitrary: fc.constant(undefined),
        },
      ),
      priority: fc.oneof(fc.constant(undefined), fc.integer({ min: -1, max: 2 })),
    })
    .map(({ saying, when, priority }) => ({
      id: '',
      text: '',
      phase,
      ...saying,
      ...(when === undefined ? {} : { when }),
      ...(priority === undefined ? {} : { priority }),
    })) as Arbitrary<Rule>;

/** A rule that asks for a person because of the conduct of the customer. */
const askingRule: Arbitrary<Rule> = conductConditions.map((when) => ({
  id: '',
  text: '',
  phase: 'approval',
  approval: 'manual',
  when,
}));

const weights: Readonly<Record<Phase, number>> = {
  list: 1,
  exclusion: 1,
  window: 3,
  requirement: 1,
  limit: 1,
  resolution: 2,
  fee: 2,
  logistics: 2,
  settlement: 2,
  approval: 3,
};

const anyRule = fc.oneof(...phases.map((phase) => ({ weight: weights[phase], arbitrary: ruleOf(phase) })));
const mildRule = fc.oneof(
  ...(['window', 'resolution', 'fee', 'logistics', 'settlement', 'approval'] as const).map((phase) => ({
    weight: weights[phase],
    arbitrary: ruleOf(phase),
  })),
);

/** Returns a unique id. The ids do not sort by position. */
const idAt = (index: number): string => `${'qxhbzkda'[index % 8] ?? 'r'}${index}`;

const placed = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule, index) => ({ ...rule, id: idAt(index), text: `Rule ${index}.` }));

const rules: Arbitrary<Rule[]> = fc
  .oneof(
    { weight: 1, arbitrary: fc.array(anyRule, { maxLength: 1, size: 'max' }) },
    { weight: 8, arbitrary: fc.array(anyRule, { minLength: 2, maxLength: 7, size: 'max' }) },
    // Few rules deny, so that some lines pass all of them.
    { weight: 4, arbitrary: fc.array(mildRule, { minLength: 3, maxLength: 10, size: 'max' }) },
    { weight: 2, arbitrary: fc.array(anyRule, { minLength: 10, maxLength: 40, size: 'max' }) },
  )
  .map(placed);

/** Valid policies of 0 to 40 rules. */
export const policyArbitrary: Arbitrary<Policy> = fc.record(
  {
    rules,
    conditions: namedConditions,
    lists: fc.constant({ blocked: ['c1', 'c2'], trusted: ['c3'] }),
    holidays: fc.subarray(['2026-04-07', '2026-04-27', '2026-10-26', '2026-11-09']),
  },
  { requiredKeys: ['rules', 'conditions', 'lists'] },
);

/** A rule that may deny. */
export const denyingRule: Arbitrary<Rule> = fc
  .constantFrom<Phase>('list', 'exclusion', 'requirement', 'limit', 'approval')
  .chain((phase) => ruleOf(phase).map((rule) => ({ ...rule, id: 'added' })))
  .filter((rule) => 'deny' in rule || 'block' in rule);
