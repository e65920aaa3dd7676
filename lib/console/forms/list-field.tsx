import { isRecord } from '../api/record.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { fieldText } from './field-texts.ts';
import { type FieldProps, useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import { emptyValue, pointer, type Resolved } from './schema.ts';

type Props = Pick<FieldProps, 'name' | 'value' | 'path' | 'onChange'> & { readonly schema: Resolved };

/** A list of choices that a person ticks, such as the attachments of an answer. */
const Ticks = ({ name, value, onChange }: Props) => {
  const choices = useFormInfo().choices[name] ?? [];
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (choice: string) =>
    onChange(chosen.includes(choice) ? chosen.filter((known) => known !== choice) : [...chosen, choice]);
  return (
    <div class="ticks">
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="checkbox" checked={chosen.includes(choice.value)} onChange={() => toggle(choice.value)} />{' '}
          {choice.text}
        </label>
      ))}
      {choices.length === 0 && <span class="fine">{common().nothing}</span>}
    </div>
  );
};

/** A list of values or objects: a person adds and removes entries. */
export const ListField = (props: Props) => {
  const { name, schema, value, path, onChange } = props;
  const { Field, resolve, choices } = useFormInfo();
  const entries = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const items = resolve(schema.items ?? {});
  if (choices[name] !== undefined && items.type === 'string') return <Ticks {...props} />;
  const replace = (index: number, next: unknown) => onChange(entries.map((entry, at) => (at === index ? next : entry)));
  const canAdd = entries.length < (schema.maxItems ?? Infinity);
  return (
    <div class="entries">
      {entries.map((entry, index) => (
        <div class="entry" key={index}>
          <Field
            name={name}
            schema={items}
            value={entry}
            path={pointer(path, index)}
            required
            onChange={(next) => replace(index, next ?? '')}
            compact
          />
          <button
            type="button"
            class="small"
            aria-label={fill(formTexts().removeField, {
              name: fill(formTexts().entry, { name: fieldText(name), place: index + 1 }),
            })}
            onClick={() => onChange(entries.filter((_, at) => at !== index))}
          >
            {common().remove}
          </button>
        </div>
      ))}
      {canAdd && (
        <button type="button" class="small" onClick={() => onChange([...entries, emptyValue(name, items) ?? ''])}>
          {formTexts().addEntry}
        </button>
      )}
    </div>
  );
};

type Pair = readonly [string, unknown];

/** Names and values of a person's choice, such as metadata. */
export const RecordField = ({ name, value, path, onChange }: Props) => {
  const { fieldErrors } = useFormInfo();
  const t = formTexts();
  const pairs: readonly Pair[] = isRecord(value) ? Object.entries(value) : [];
  const replace = (index: number, pair: Pair) =>
    onChange(Object.fromEntries(pairs.map((known, at) => (at === index ? pair : known))));
  return (
    <div class="entries">
      {pairs.map(([key, text], index) => (
        <div class="entry" key={index}>
          <input
            type="text"
            aria-label={`${fieldText(name)} ${index + 1}: ${common().name}`}
            aria-invalid={fieldErrors.has(pointer(path, key))}
            value={key}
            onInput={(event) => replace(index, [event.currentTarget.value, text])}
          />
          <input
            type="text"
            aria-label={`${fieldText(name)} ${index + 1}: ${t.value}`}
            value={typeof text === 'string' ? text : ''}
            onInput={(event) => replace(index, [key, event.currentTarget.value])}
          />
          <button
            type="button"
            class="small"
            aria-label={fill(t.removeField, { name: key })}
            onClick={() => onChange(Object.fromEntries(pairs.filter((_, at) => at !== index)))}
          >
            {common().remove}
          </button>
          {fieldErrors.has(pointer(path, key)) && <p class="field-error">{fieldErrors.get(pointer(path, key))}</p>}
        </div>
      ))}
      {!pairs.some(([key]) => key === '') && (
        <button type="button" class="small" onClick={() => onChange(Object.fromEntries([...pairs, ['', '']]))}>
          {t.addEntry}
        </button>
      )}
    </div>
  );
};
