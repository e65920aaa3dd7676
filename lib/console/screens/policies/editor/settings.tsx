import { comparisonOn } from '../document/condition.ts';
import { isRecord } from '../../../api/record.ts';
import { type Document, type Members, textOf, withField } from '../document/document.ts';
import { common } from '../../../texts/common.ts';
import { policyTerms } from './comparison.tsx';
import { Condition } from './condition.tsx';
import { ListInput, SelectInput } from './inputs.tsx';
import { t } from './texts.ts';

type Props = { readonly document: Document; readonly onChange: (document: Document) => void };

const membersOf = (value: unknown): Members => (isRecord(value) ? value : {});

/** Empty objects and lists are left out of the document. */
const orAbsent = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length === 0 ? undefined : value;

const selectors = ['countries', 'channels', 'segments', 'markets', 'sellers'] as const;

const Selectors = ({ document, onChange }: Props) => {
  const words = t();
  const chosen = membersOf(document['selectors']);
  return (
    <fieldset>
      <legend>{words.selectors}</legend>
      <p class="field-hint">{words.selectorsHint}</p>
      <div class="pair">
        {selectors.map((name) => (
          <ListInput
            key={name}
            label={words[name]}
            value={chosen[name]}
            onChange={(list) =>
              onChange(withField(document, 'selectors', orAbsent(withField(chosen, name, orAbsent(list)))))
            }
          />
        ))}
      </div>
      <label class="box">
        <input
          type="checkbox"
          checked={document['favorable'] === true}
          onChange={({ currentTarget }) =>
            onChange(withField(document, 'favorable', currentTarget.checked ? true : undefined))
          }
        />
        {words.favorable}
      </label>
    </fieldset>
  );
};

const freeName = (members: Members, wish: string): string => {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wish : `${wish}_${count}`;
    if (!Object.hasOwn(members, name)) return name;
  }
};

const NamedConditions = ({ document, onChange }: Props) => {
  const words = t();
  const named = membersOf(document['conditions']);
  const names = Object.keys(named);
  const change = (next: Members) => onChange(withField(document, 'conditions', orAbsent(next)));
  return (
    <fieldset>
      <legend>{words.conditions}</legend>
      {names.map((name) => (
        <details key={name}>
          <summary>
            <code>{name}</code>
          </summary>
          <p class="field-hint">{words.rename}</p>
          <Condition
            value={named[name]}
            path={`/conditions/${name}`}
            names={{ facts: Object.keys(policyTerms.facts), conditions: names.filter((other) => other !== name) }}
            onChange={(condition) => change({ ...named, [name]: condition })}
            onRemove={() => change(withField(named, name, undefined))}
          />
        </details>
      ))}
      <button
        type="button"
        onClick={() => change({ ...named, [freeName(named, 'condition')]: comparisonOn('order.country', policyTerms) })}
      >
        + {words.addNamedCondition}
      </button>
    </fieldset>
  );
};

const Lists = ({ document, onChange }: Props) => {
  const words = t();
  const lists = membersOf(document['lists']);
  const change = (next: Members) => onChange(withField(document, 'lists', orAbsent(next)));
  return (
    <fieldset>
      <legend>{words.lists}</legend>
      {Object.entries(lists).map(([name, ids]) => (
        <div class="row" key={name}>
          <ListInput
            label={`${name}: ${words.listIds}`}
            value={ids}
            onChange={(list) => change({ ...lists, [name]: list })}
          />
          <button type="button" class="link-button" onClick={() => change(withField(lists, name, undefined))}>
            {common().remove} {name}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change({ ...lists, [freeName(lists, 'blocked')]: [] })}>
        + {words.addList}
      </button>
    </fieldset>
  );
};

/** The fields of a document apart from rules and golden cases. */
export const Settings = (props: Props) => {
  const { document, onChange } = props;
  const words = t();
  return (
    <details class="rule-card">
      <summary>
        <strong>{words.settings}</strong>
      </summary>
      <div class="rule-form">
        <Selectors {...props} />
        <div class="pair">
          <SelectInput
            label={words.language}
            value={textOf(document['language'])}
            isOptional
            choices={['en', 'pt', 'es', 'de', 'fr'].map((code) => [code, code])}
            onChange={(code) => onChange(withField(document, 'language', code === '' ? undefined : code))}
          />
          <ListInput
            label={words.categories}
            value={document['categories']}
            onChange={(list) => onChange(withField(document, 'categories', orAbsent(list)))}
          />
          <ListInput
            label={words.holidays}
            value={document['holidays']}
            onChange={(list) => onChange(withField(document, 'holidays', orAbsent(list)))}
          />
        </div>
        <NamedConditions {...props} />
        <Lists {...props} />
      </div>
    </details>
  );
};
