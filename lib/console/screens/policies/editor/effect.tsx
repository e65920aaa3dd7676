import type { ComponentChildren } from 'preact';
import { isRecord } from '../../../api/record.ts';
import { common } from '../../../texts/common.ts';
import { fill } from '../../../texts/fill.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { type Members, type Rule, textOf, withField } from '../document/document.ts';
import { policyTerms } from './comparison.tsx';
import { shareWords } from './effect-words.ts';
import { type Choice, NumberInput, SelectInput, SetInput, TextInput } from './inputs.tsx';
import { t } from './texts.ts';
import { WindowInput } from './window.tsx';
import { fieldText } from '../../../forms/field-texts.ts';

type EffectProps = { readonly value: unknown; readonly onChange: (value: unknown) => void };

const choicesOf = (
  kind: 'value' | 'resolution' | 'feeType' | 'approval',
  codes: readonly string[],
): readonly Choice[] => codes.map((code) => [code, policyWord(kind, code)]);

const MoneyInput = ({ label, value, onChange }: EffectProps & { label: string }) => {
  const money = isRecord(value) ? value : {};
  return (
    <div class="pair">
      <NumberInput
        label={label}
        value={money['amount']}
        onChange={(amount) =>
          onChange(amount === undefined ? undefined : { amount, currency: textOf(money['currency']) || 'EUR' })
        }
      />
      <TextInput
        label={common().currency}
        value={textOf(money['currency'])}
        onChange={(currency) => onChange({ amount: money['amount'] ?? 0, currency: currency.toUpperCase() })}
      />
    </div>
  );
};

/** The fields that a fee of each type has in the beginning. */
const newFees: Readonly<Record<string, Members>> = {
  restocking: { type: 'restocking', bps: 1000 },
  return_shipping: { type: 'return_shipping', amount: { amount: 500, currency: 'EUR' } },
  inspection: { type: 'inspection', bps: 2000 },
  promotion: { type: 'promotion' },
};

const FeeInput = ({ value, onChange }: EffectProps) => {
  const words = t();
  const fee = isRecord(value) ? value : {};
  const type = textOf(fee['type']);
  return (
    <>
      <SelectInput
        label={fieldText('type')}
        value={type}
        choices={choicesOf('feeType', Object.keys(newFees))}
        onChange={(next) => onChange(newFees[next])}
      />
      {type === 'return_shipping' && (
        <MoneyInput
          label={words.amount}
          value={fee['amount']}
          onChange={(amount) => onChange(withField(fee, 'amount', amount))}
        />
      )}
      {(type === 'restocking' || type === 'inspection') && (
        <NumberInput
          label={words.bps}
          hint={fill(words.bpsIs, { percent: shareWords(fee['bps']) })}
          value={fee['bps']}
          onChange={(bps) => onChange(withField(fee, 'bps', bps))}
        />
      )}
      {type === 'restocking' && (
        <MoneyInput label={words.cap} value={fee['cap']} onChange={(cap) => onChange(withField(fee, 'cap', cap))} />
      )}
    </>
  );
};

const select =
  (codes: readonly string[]) =>
  ({ value, onChange }: EffectProps) => (
    <SelectInput label={t().value} value={textOf(value)} choices={choicesOf('value', codes)} onChange={onChange} />
  );

const set =
  (kind: 'value' | 'resolution', codes: readonly string[]) =>
  ({ value, onChange }: EffectProps) => (
    <SetInput label={t().values} value={value} choices={choicesOf(kind, codes)} onChange={onChange} />
  );

type Effect = { readonly first: unknown; readonly Input?: (props: EffectProps) => ComponentChildren };

/** The effects that rules may have: the first value, and its inputs. */
const effects: Readonly<Record<string, Effect>> = {
  block: {
    first: 'blocked',
    Input: ({ value, onChange }) => <TextInput label={t().list} value={textOf(value)} onChange={onChange} />,
  },
  exempts: { first: ['window'], Input: set('value', ['exclusion', 'window', 'requirement', 'limit']) },
  deny: {
    first: 'excluded',
    Input: ({ value, onChange }) => (
      <TextInput label={common().problem.code} hint={t().codeHint} value={textOf(value)} onChange={onChange} />
    ),
  },
  window: {
    first: { anchor: 'delivered', days: 30 },
    Input: ({ value, onChange }) => <WindowInput value={isRecord(value) ? value : {}} onChange={onChange} />,
  },
  require: { first: ['note'], Input: set('value', ['note', 'evidence']) },
  resolutions: {
    first: ['refund', 'exchange'],
    Input: set('resolution', ['refund', 'exchange', 'store_credit', 'repair', 'none']),
  },
  fee: { first: newFees['restocking'], Input: FeeInput },
  returnless: { first: true },
  shipping: { first: 'proportional', Input: select(['none', 'proportional', 'full_if_whole_order', 'statutory']) },
  shipByDays: {
    first: 14,
    Input: ({ value, onChange }) => <NumberInput label={t().days} value={value} onChange={onChange} />,
  },
  inspection: { first: 'required', Input: select(['required', 'skipped']) },
  refundTiming: { first: 'inspected', Input: select(['approved', 'in_transit', 'received', 'inspected']) },
  approval: {
    first: 'manual',
    Input: ({ value, onChange }) => (
      <SelectInput
        label={policyWord('setting', 'approval')}
        value={textOf(value)}
        choices={choicesOf('approval', ['auto', 'manual', 'reject'])}
        onChange={onChange}
      />
    ),
  },
};

/** Returns the effects that rules of a phase may have. */
const effectsOf = (phase: string): readonly string[] =>
  policyTerms.phases.find(({ name }) => name === phase)?.effects ?? [];

/** Returns the fields of a new rule of a phase. */
export const newEffect = (phase: string): Members => {
  const [name = 'deny'] = effectsOf(phase);
  return { [name]: effects[name]?.first };
};

const withEffect = (rule: Rule, name: string, value: unknown): Rule => {
  const bare = effectsOf(textOf(rule['phase'])).reduce<Members>(
    (changed, name) => withField(changed, name, undefined),
    rule,
  );
  return { ...withField(bare, 'deny', undefined), [name]: value };
};

/** The effect of a rule: one of those of its phase. */
export const EffectInput = ({ rule, onChange }: { rule: Rule; onChange: (rule: Rule) => void }) => {
  const words = t();
  const possible = effectsOf(textOf(rule['phase']));
  const name = possible.find((candidate) => rule[candidate] !== undefined) ?? '';
  const Input = effects[name]?.Input;
  const change = (value: unknown) => {
    const next = withField(rule, name, value);
    if (name !== 'approval') onChange(next);
    else onChange(withField(next, 'deny', value === 'reject' ? (rule['deny'] ?? 'rejected') : undefined));
  };
  return (
    <fieldset>
      <legend>{common().effect}</legend>
      {possible.length > 1 && (
        <SelectInput
          label={common().effect}
          value={name}
          choices={possible.map((effect) => [effect, policyWord('setting', effect)])}
          onChange={(next) => onChange(withEffect(rule, next, effects[next]?.first))}
        />
      )}
      {Input !== undefined && <Input value={rule[name]} onChange={change} />}
      {name === 'approval' && rule['approval'] === 'reject' && (
        <TextInput
          label={common().problem.code}
          hint={words.codeHint}
          value={textOf(rule['deny'])}
          onChange={(deny) => onChange({ ...rule, deny })}
        />
      )}
    </fieldset>
  );
};
