import type { FeeType } from '../../returns/model/refund.ts';
import type { FieldError } from '../../returns/model/status.ts';
import { languages } from '../../returns/input-checks.ts';
import type { Settings } from '../evaluation.ts';
import { type FeeTerms, type Phase, phases, type WindowTerms } from '../policy.ts';
import { conditionCheck } from './condition.ts';
import {
  capitalised,
  check,
  type Check,
  typedFields,
  field,
  fields,
  isMembers,
  listOf,
  type Members,
  named,
  pointerStep,
  type Schema,
} from './shape.ts';
import { bps, code, date, days, money, oneOf, resolution, ruleId, text, integer } from './values.ts';

/** The phases that evaluate each line; the others evaluate the whole return. */
const linePhases: ReadonlySet<unknown> = new Set<Phase>(['exclusion', 'window', 'requirement', 'resolution']);

/** The fees that a return has once, whatever its lines are. */
export const wholeFees: readonly FeeType[] = ['return_shipping', 'promotion'];

/** Returns whether rules of a phase may use facts of one line. Of the fees those may that are not of the whole return. */
export const isPerLine = (phase: unknown): boolean => phase === 'fee' || linePhases.has(phase);

/** Returns what has no facts of one line, for a message; undefined for a rule that may use them. */
export const wholeSubject = ({ phase, fee }: Members): string | undefined => {
  if (!isPerLine(phase)) return 'this phase';
  const whole = isMembers(fee) ? wholeFees.find((type) => type === fee['type']) : undefined;
  return whole && `a rule for ${whole}`;
};

type Seasonal = NonNullable<WindowTerms['seasonal']>[number];

const seasonalFields = typedFields<Seasonal>({ from: date, to: date, until: date }, {}, 'a seasonal entry');

const seasonal: Check = check(seasonalFields.schema, function* (value, path) {
  yield* seasonalFields(value, path);
  if (!isMembers(value)) return;
  const { from, to, until } = value;
  if (typeof from !== 'string') return;
  if (typeof to === 'string' && to < from)
    yield { path: `${path}/to`, code: 'range', message: 'must not be before the day in `from`' };
  if (typeof until === 'string' && until < from)
    yield { path: `${path}/until`, code: 'range', message: 'must not be before the day in `from`' };
});

const anchor = oneOf('delivered', 'last_item_delivered', 'shipped', 'placed');

const window = named(
  'PolicyWindow',
  typedFields<WindowTerms>(
    { anchor, days },
    {
      graceDays: days,
      roll: oneOf('none', 'next_working_day'),
      fallback: typedFields<NonNullable<WindowTerms['fallback']>>({ anchor, days }, {}, 'a fallback'),
      seasonal: listOf(seasonal, 100),
    },
    'a window',
  ),
);

type FeeOf<Needed extends keyof FeeTerms, Possible extends keyof FeeTerms = never> = {
  readonly [Field in Needed]: FeeTerms[Field];
} & { readonly [Field in Possible]?: FeeTerms[Field] };

/** The check of `type` in a fee of that type. */
const is = (type: FeeType): Check => oneOf(type);

const feesByType: Readonly<Record<FeeType, Check>> = {
  restocking: named(
    'PolicyRestockingFee',
    typedFields<FeeOf<'type' | 'bps', 'cap'>>({ type: is('restocking'), bps }, { cap: money }, 'a restocking fee'),
  ),
  return_shipping: named(
    'PolicyReturnShippingFee',
    typedFields<FeeOf<'type' | 'amount'>>(
      { type: is('return_shipping'), amount: money },
      {},
      'a fee for return shipping',
    ),
  ),
  inspection: named(
    'PolicyInspectionFee',
    typedFields<FeeOf<'type' | 'bps'>>({ type: is('inspection'), bps }, {}, 'an inspection fee'),
  ),
  promotion: named(
    'PolicyPromotionFee',
    typedFields<FeeOf<'type'>>({ type: is('promotion') }, {}, 'a fee for a promotion'),
  ),
};

const feeTypes = Object.keys(feesByType) as readonly FeeType[];

const anyFee = fields({ type: oneOf(...feeTypes) }, { bps, amount: money, cap: money }, 'a fee');

const feeSchema = { $id: 'PolicyFee', oneOf: Object.values(feesByType).map(({ schema }) => schema) };

const fee: Check = check(feeSchema, (value, path) => {
  const type = isMembers(value) ? feeTypes.find((known) => known === value['type']) : undefined;
  return (type === undefined ? anyFee : feesByType[type])(value, path);
});

/** The checks of logistics and settlement settings. */
export const settingChecks: Readonly<Record<keyof Settings, Check>> = {
  returnless: oneOf(true),
  shipping: oneOf('none', 'proportional', 'full_if_whole_order', 'statutory'),
  shipByDays: days,
  inspection: oneOf('required', 'skipped'),
  refundTiming: oneOf('approved', 'in_transit', 'received', 'inspected'),
};
const { returnless, shipping, shipByDays, inspection, refundTiming } = settingChecks;

/** The effects of rules by phase. A rule has exactly one. */
const effects: Readonly<Record<Phase, Readonly<Record<string, Check>>>> = {
  list: { block: code, exempts: listOf(oneOf('exclusion', 'window', 'requirement', 'limit'), 4, 1) },
  exclusion: { deny: code },
  window: { window },
  requirement: { deny: code, require: listOf(oneOf('note', 'evidence'), 2, 1) },
  limit: { deny: code },
  resolution: { resolutions: listOf(resolution, 5, 1) },
  fee: { fee },
  logistics: { returnless, shipping, shipByDays },
  settlement: { inspection, refundTiming },
  approval: { approval: oneOf('auto', 'manual', 'reject') },
};

/** Returns the fields of which a rule of a phase has exactly one. */
export const effectFields = (phase: Phase): readonly string[] => Object.keys(effects[phase]);

const maxPriority = 1_000_000;

const phaseCheck = oneOf(...phases);

const ruleText = text(1000);

const common = { id: ruleId, phase: phaseCheck, text: ruleText };

/** The texts of a rule in other languages. */
const texts = fields({}, Object.fromEntries(languages.map((language) => [language, ruleText])), 'the texts of a rule');

const ruleShape = (phase: Phase, rejects: boolean, subject = wholeSubject({ phase })): Check =>
  fields(
    rejects ? { ...common, deny: code } : common,
    {
      texts,
      when: conditionCheck(subject),
      priority: integer(-maxPriority, maxPriority),
      ...effects[phase],
    },
    `a rule of phase ${phase}${rejects ? ' that rejects' : ''}`,
  );

const ruleShapes = new Map(phases.map((phase) => [phase, ruleShape(phase, false)]));
const rejectingRuleShape = ruleShape('approval', true);
const wholeFeeShapes = new Map(
  wholeFees.map((type) => [type, ruleShape('fee', false, wholeSubject({ phase: 'fee', fee: { type } }))]),
);

const shapeOf = (rule: Members, phase: Phase): Check | undefined => {
  if (phase === 'approval' && rule['approval'] === 'reject') return rejectingRuleShape;
  const { fee: of } = rule;
  const whole = isMembers(of) ? wholeFees.find((type) => type === of['type']) : undefined;
  return phase === 'fee' && whole !== undefined ? wholeFeeShapes.get(whole) : ruleShapes.get(phase);
};

function* effectErrors(rule: Members, phase: Phase, path: string): Iterable<FieldError> {
  const known = Object.keys(effects[phase]);
  const [first, ...others] = known.filter((field) => Object.hasOwn(rule, field));
  if (first === undefined)
    yield {
      path: known.length === 1 ? path + pointerStep(known.join('')) : path,
      code: 'required',
      message: `must have ${known.length === 1 ? '' : 'one of '}${known.join(', ')}: a rule of phase ${phase}`,
    };
  for (const other of others)
    yield { path: path + pointerStep(other), code: 'conflict', message: `must be absent when ${first} is present` };
}

/** The schemas of rules of a phase: one for each effect. Of approvals, those that reject have a code. */
const ruleSchemas = (phase: Phase): readonly Schema[] => {
  const names = effectFields(phase);
  const schemaOf = (effect: string, { schema }: Check, own: string, more: Members = {}): Schema => {
    const all = schema['properties'] as Members;
    const others = new Set(names.filter((name) => name !== effect));
    const kept = Object.entries(all).filter(([name]) => !others.has(name));
    return {
      ...schema,
      $id: `Policy${capitalised(phase)}${own}Rule`,
      required: [...(schema['required'] as readonly string[]), effect],
      properties: { ...Object.fromEntries(kept), phase: { const: phase }, ...more },
    };
  };
  const shape = ruleShape(phase, false);
  if (phase === 'approval')
    return [
      schemaOf('approval', shape, '', { approval: { enum: ['auto', 'manual'] } }),
      schemaOf('approval', rejectingRuleShape, 'Reject', { approval: { const: 'reject' } }),
    ];
  return names.map((effect) => schemaOf(effect, shape, names.length === 1 ? '' : capitalised(effect)));
};

const anyCondition = conditionCheck();

/** Checks a rule by itself. Its phase decides on its fields: without one, only its condition is checked. */
export const ruleCheck: Check = check(
  { $id: 'PolicyRule', oneOf: phases.flatMap(ruleSchemas) },
  function* (value, path) {
    if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
    const phase = phases.find((known) => known === value['phase']);
    if (phase === undefined) {
      yield* field('phase', phaseCheck, value, path);
      if (Object.hasOwn(value, 'when')) yield* anyCondition(value['when'], `${path}/when`);
      return;
    }
    yield* shapeOf(value, phase)?.(value, path) ?? [];
    yield* effectErrors(value, phase, path);
  },
);
