import type { FieldError } from '../../returns/model/status.ts';
import { languages } from '../../returns/input-checks.ts';
import type { DecidedFee, Evaluation, LineEvaluation, Settings } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import { asksForPerson, type Policy, type Selectors } from '../policy.ts';
import { conditionCheck } from './condition.ts';
import { factsCheck } from './facts.ts';
import { ruleCheck, settingChecks, wholeSubject } from './rule.ts';
import { mapOf, type Check, typedFields, isMembers, listOf, type Members, named, type Schema } from './shape.ts';
import { useErrors } from './uses.ts';
import {
  amount,
  bps,
  code,
  country,
  date,
  flag,
  instant,
  maxValues,
  name,
  oneOf,
  resolution,
  ruleId,
} from './values.ts';

/** The expected evaluation; absent fields are not compared. */
type Expectation = Partial<Pick<Evaluation, 'verdict' | 'approval' | 'fees' | 'settings'>> & {
  readonly returnableUntil?: string;
  readonly lines?: readonly Partial<LineEvaluation>[];
};

const fee = named(
  'PolicyExpectedFee',
  typedFields<Partial<DecidedFee>>({}, { rule: ruleId, bps, amount, cap: amount }, 'the expectation for a fee'),
);

const fees = named(
  'PolicyExpectedFees',
  typedFields<Evaluation['fees']>(
    {},
    { inspection: fee, restocking: fee, return_shipping: fee, promotion: fee },
    'the fees',
  ),
);

const line = typedFields<Partial<LineEvaluation>>(
  {},
  {
    orderLineId: name,
    verdict: oneOf('eligible', 'needs_review', 'ineligible'),
    code,
    codes: listOf(code, maxValues),
    missing: listOf(name, maxValues),
    returnableUntil: instant,
    resolutions: listOf(resolution, 5),
    right: name,
    fees,
  },
  'the expectation for a line',
);

const expectation = named(
  'PolicyExpectation',
  typedFields<Expectation>(
    {},
    {
      verdict: oneOf('approved', 'rejected', 'needs_review'),
      approval: oneOf('auto', 'manual', 'reject'),
      returnableUntil: instant,
      lines: listOf(line, maxValues),
      fees,
      settings: named('PolicySettings', typedFields<Settings>({}, settingChecks, 'the settings')),
    },
    'the expectation',
  ),
);

/** Checks a golden case, which a policy must pass before publication. */
const goldenCaseCheck: Check = typedFields<{ name: string; facts: Facts; expect: Expectation }>(
  { name, facts: factsCheck, expect: expectation },
  {},
  'a golden case',
);

const maxRules = 500;
const maxConditions = 50;
/** The maximum of reported errors. */
const maxFieldErrors = 100;

const selectorValues = listOf(name, maxValues, 1);

const selectors = typedFields<Selectors>(
  {},
  {
    countries: listOf(country, maxValues, 1),
    channels: selectorValues,
    segments: selectorValues,
    markets: selectorValues,
    sellers: selectorValues,
  },
  'the selectors',
);

const document = named(
  'PolicyDocument',
  typedFields<Policy & { readonly goldenCases?: unknown }>(
    { rules: listOf(ruleCheck, maxRules) },
    {
      selectors,
      favorable: flag,
      language: oneOf(...languages),
      categories: listOf(name, maxValues),
      conditions: mapOf(conditionCheck(), maxConditions),
      lists: mapOf(listOf(name, 10_000), 20),
      holidays: listOf(date, 1000),
      goldenCases: listOf(goldenCaseCheck, 100),
    },
    'a policy',
  ),
);

/**
 * The JSON Schema of a document (2020-12). It accepts each document without errors. It cannot say uses, cycles, depths,
 * and where facts of one line or about conduct may be used, so it accepts others too.
 */
export const policyDocumentSchema: Schema = document.schema;

/** Returns the rules of a document when they are a list within the limit. */
const rulesOf = ({ rules }: Members): readonly unknown[] =>
  Array.isArray(rules) && rules.length <= maxRules ? rules : [];

function* duplicateIdErrors(rules: readonly unknown[]): Iterable<FieldError> {
  const first = new Map<string, number>();
  for (const [index, rule] of rules.entries()) {
    const id = isMembers(rule) ? rule['id'] : undefined;
    if (typeof id !== 'string') continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    else
      yield {
        path: `/rules/${index}/id`,
        code: 'duplicate',
        message: `must be unique: /rules/${before} has the same id`,
      };
  }
}

/** Returns the named conditions when they are an object within the limit. */
const namedConditionsIn = ({ conditions = {} }: Members): Members | undefined =>
  isMembers(conditions) && Object.keys(conditions).length <= maxConditions ? conditions : undefined;

function* fieldErrorsOf(policy: unknown): Iterable<FieldError> {
  yield* document(policy, '');
  if (!isMembers(policy)) return;
  const rules = rulesOf(policy);
  yield* duplicateIdErrors(rules);
  const named = namedConditionsIn(policy);
  if (named === undefined) return;
  const whens = rules.flatMap((rule, index) =>
    isMembers(rule) && Object.hasOwn(rule, 'when')
      ? [
          {
            condition: rule['when'],
            path: `/rules/${index}/when`,
            whole: wholeSubject(rule),
            isDeciding: !asksForPerson(rule),
          },
        ]
      : [],
  );
  yield* useErrors(named, whens);
}

/**
 * Lists the errors of a policy document (contract section 6). It covers shape, limits, unknown facts and operators, and
 * cycles of conditions. It never throws, and its time grows only with the size of the document.
 *
 * @param policy any JSON value; it may have `goldenCases` in addition to the policy
 * @returns at most 100 errors; none for a policy that can be evaluated
 */
export const policyFieldErrors = (policy: unknown): readonly FieldError[] => {
  const first: FieldError[] = [];
  for (const fieldError of fieldErrorsOf(policy)) {
    first.push(fieldError);
    if (first.length === maxFieldErrors) break;
  }
  return first;
};
