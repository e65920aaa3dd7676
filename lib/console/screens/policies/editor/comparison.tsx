import type { PolicyTerms } from '../../../../contract/console.ts';
import terms from '#contract/console-policies.json' with { type: 'json' };
import type { FieldLabel } from '../../../components/fields.tsx';
import { factWords, operatorWords } from '../../../texts/fact-words.ts';
import { fill } from '../../../texts/fill.ts';
import { wordOf } from '../../../texts/word.ts';
import { inputOf, withFact, withOperator } from '../document/condition.ts';
import { listOf, type Members, textOf } from '../document/document.ts';
import { ListInput, NumberInput, SelectInput, TextInput } from './inputs.tsx';
import { t } from './texts.ts';
import { common } from '../../../texts/common.ts';

export const policyTerms: PolicyTerms = terms;

const InstantInput = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: string) => void;
}) => <TextInput label={label} value={textOf(value)} onChange={onChange} hint="2026-12-24T08:00:00Z" />;

const SingleInput = ({
  kind,
  value,
  onChange,
  ...label
}: FieldLabel & {
  kind: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) => {
  if (kind === 'number') return <NumberInput {...label} value={value} onChange={(next) => onChange(next ?? 0)} />;
  if (kind === 'instant') return <InstantInput label={label.label} value={value} onChange={onChange} />;
  return <TextInput {...label} value={textOf(value)} onChange={onChange} />;
};

const ValueInput = ({
  fact,
  op,
  kind,
  value,
  onChange,
}: {
  fact: string;
  op: string;
  kind: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) => {
  const words = t();
  const examples = policyTerms.examples[fact];
  const hint = examples === undefined ? {} : { hint: fill(words.example, { examples }) };
  switch (inputOf(op, kind)) {
    case 'list':
      return (
        <ListInput label={words.values} {...hint} value={value} isNumeric={kind === 'number'} onChange={onChange} />
      );
    case 'range': {
      const [from, to] = listOf(value);
      return (
        <div class="pair">
          <SingleInput label={words.from} kind={kind} value={from} onChange={(next) => onChange([next, to])} />
          <SingleInput label={words.to} kind={kind} value={to} onChange={(next) => onChange([from, next])} />
        </div>
      );
    }
    case 'flag':
      return (
        <SelectInput
          label={words.value}
          value={String(value)}
          choices={[
            ['true', common().yes],
            ['false', common().no],
          ]}
          onChange={(next) => onChange(next === 'true')}
        />
      );
    case 'days':
      return <NumberInput label={words.days} value={value} onChange={(next) => onChange(next ?? 0)} />;
    case 'single':
      return <SingleInput label={words.value} {...hint} kind={kind} value={value} onChange={onChange} />;
  }
};

/** A comparison of a fact with a value: three inputs that fit the kind of the fact. */
export const Comparison = ({
  value,
  facts,
  onChange,
}: {
  value: Members;
  facts: readonly string[];
  onChange: (value: Members) => void;
}) => {
  const words = t();
  const [fact, op] = [textOf(value['fact']), textOf(value['op'])];
  const kind = policyTerms.facts[fact] ?? 'text';
  return (
    <div class="comparison">
      <SelectInput
        label={words.fact}
        value={fact}
        choices={facts.map((name) => [name, factWords(name)])}
        onChange={(next) => onChange(withFact(value, next, policyTerms))}
      />
      <SelectInput
        label={words.operator}
        hint={wordOf(words.meaning, op)}
        value={op}
        choices={(policyTerms.operators[kind] ?? []).map((name) => [name, operatorWords(name, kind === 'instant')])}
        onChange={(next) => onChange(withOperator(value, next, policyTerms))}
      />
      <ValueInput
        fact={fact}
        op={op}
        kind={kind}
        value={value['value']}
        onChange={(next) => onChange({ ...value, value: next })}
      />
    </div>
  );
};
