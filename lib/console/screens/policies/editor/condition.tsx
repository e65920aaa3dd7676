import { comparisonOn, kindOf, regroup } from '../document/condition.ts';
import { isRecord } from '../../../api/record.ts';
import { listOf, textOf, withItem, withoutItem } from '../document/document.ts';
import { Comparison, policyTerms } from './comparison.tsx';
import { FindingLine } from './finding-line.tsx';
import { useFindingsAt } from './findings.ts';
import { SelectInput } from './inputs.tsx';
import { t } from './texts.ts';

/** What a condition may name. */
export type Names = { readonly facts: readonly string[]; readonly conditions: readonly string[] };

type Props = {
  readonly value: unknown;
  /** The JSON Pointer of the condition within its rule. */
  readonly path: string;
  readonly names: Names;
  readonly onChange: (value: unknown) => void;
  /** Absent for the outermost condition. */
  readonly onRemove?: () => void;
};

const AddPart = ({ names, onAdd }: { names: Names; onAdd: (part: unknown) => void }) => {
  const words = t();
  const comparison = comparisonOn(names.facts[0] ?? 'requestedAt', policyTerms);
  return (
    <div class="actions">
      <button type="button" onClick={() => onAdd(comparison)}>
        + {words.addComparison}
      </button>
      <button type="button" onClick={() => onAdd({ or: [comparison] })}>
        + {words.group}
      </button>
      <button type="button" onClick={() => onAdd({ not: comparison })}>
        + {words.addNot}
      </button>
      {names.conditions.length > 0 && (
        <button type="button" onClick={() => onAdd({ use: names.conditions[0] })}>
          + {words.named}
        </button>
      )}
    </div>
  );
};

const Inner = ({ value, path, names, onChange }: Props) => {
  const words = t();
  const kind = kindOf(value);
  if (!isRecord(value) || kind === 'other') return <p class="field-hint">{words.onlyJson}</p>;
  if (kind === 'comparison') return <Comparison value={value} facts={names.facts} onChange={onChange} />;
  if (kind === 'use')
    return (
      <SelectInput
        label={words.named}
        value={textOf(value['use'])}
        choices={names.conditions.map((name) => [name, name])}
        onChange={(use) => onChange({ use })}
      />
    );
  if (kind === 'not')
    return (
      <>
        <span class="join">{words.not}</span>
        <Condition value={value['not']} path={`${path}/not`} names={names} onChange={(not) => onChange({ not })} />
      </>
    );
  const parts = listOf(value[kind]);
  const withParts = (next: readonly unknown[]) => onChange({ [kind]: next });
  return (
    <>
      <SelectInput
        label={words.group}
        value={kind}
        choices={[
          ['and', words.all],
          ['or', words.any],
        ]}
        onChange={(to) => onChange(regroup(value, to === 'or' ? 'or' : 'and'))}
      />
      {parts.length === 0 && <p class="field-hint">{words.noParts}</p>}
      <ul class="parts">
        {parts.map((part, index) => (
          <li key={index}>
            <Condition
              value={part}
              path={`${path}/${kind}/${index}`}
              names={names}
              onChange={(next) => withParts(withItem(parts, index, next))}
              onRemove={() => withParts(withoutItem(parts, index))}
            />
          </li>
        ))}
      </ul>
      <AddPart names={names} onAdd={(part) => withParts([...parts, part])} />
    </>
  );
};

/** The builder of a condition: comparisons and named conditions in groups. */
export const Condition = (props: Props) => {
  const { value, path, onChange, onRemove } = props;
  const kind = kindOf(value);
  const isGroup = kind === 'and' || kind === 'or';
  const found = useFindingsAt(path);
  const words = t();
  return (
    <div class={`condition condition-${kind}`} {...(found.length > 0 && !isGroup && { 'data-found': 'true' })}>
      <Inner {...props} />
      {!isGroup && found.length > 0 && (
        <ul class="field-error">
          {found.map((finding) => (
            <li key={`${finding.code}${finding.within}`}>
              <FindingLine of={finding} />
            </li>
          ))}
        </ul>
      )}
      <div class="actions condition-actions">
        {kind === 'comparison' && onRemove === undefined && (
          <button type="button" class="link-button" onClick={() => onChange(regroup(value, 'and'))}>
            {words.intoGroup}
          </button>
        )}
        {onRemove !== undefined && (
          <button type="button" class="link-button" onClick={onRemove}>
            {words.removePart}
          </button>
        )}
      </div>
    </div>
  );
};
