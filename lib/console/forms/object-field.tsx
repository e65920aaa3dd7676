import { useState } from 'preact/hooks';
import { isRecord } from '../api/record.ts';
import { fieldText } from './field-texts.ts';
import { type FieldProps, useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import { emptyValue, lineKeyOf, pointer, type Resolved } from './schema.ts';

type Props = Pick<FieldProps, 'value' | 'path' | 'onChange' | 'compact'> & {
  readonly schema: Resolved;
  /** Fields that another part of the form shows. */
  readonly without?: readonly string[];
};

/** Optional fields that people usually fill in. They are open from the start. */
const usualInTables: readonly string[] = ['disposition', 'grade', 'received', 'missing', 'accepted', 'refused'];
const usualElsewhere: readonly string[] = [
  'note',
  'message',
  'carrier',
  'trackingNumber',
  'code',
  'title',
  'price',
  'providerRef',
  'reference',
  'externalRef',
];

/**
 * The fields of an object. Required and used ones are open. A button adds any other one.
 */
export const ObjectFields = ({ schema, value, path, onChange, compact, without = [] }: Props) => {
  const { Field, resolve, isHidden, lines } = useFormInfo();
  const fields = isRecord(value) ? value : {};
  const required = new Set(schema.required);
  const usual = new Set(compact === true ? usualInTables : [...usualInTables, ...usualElsewhere]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([...Object.keys(fields), ...(schema.required ?? []), ...usual]),
  );
  const names = Object.keys(schema.properties ?? {}).filter((name) => !without.includes(name) && !isHidden(name));
  const isOpen = (name: string) => opened.has(name) || fields[name] !== undefined;
  const set = (name: string, next: unknown) => {
    const { [name]: _, ...others } = fields;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const schemaOf = (name: string) => resolve(schema.properties?.[name] ?? {});
  const add = (name: string) => {
    setOpened(new Set([...opened, name]));
    const lineKey = lineKeyOf(resolve, schemaOf(name));
    const entries = lineKey && lines.map(({ id, possible = 0 }) => ({ [lineKey]: id, quantity: possible }));
    const first = entries ?? emptyValue(name, schemaOf(name));
    if (first !== undefined) set(name, first);
  };
  const remove = (name: string) => {
    setOpened(new Set([...opened].filter((known) => known !== name)));
    set(name, undefined);
  };
  const closed = names.filter((name) => !isOpen(name));
  return (
    <>
      {names.filter(isOpen).map((name) => (
        <Field
          key={name}
          name={name}
          schema={schemaOf(name)}
          value={fields[name]}
          path={pointer(path, name)}
          required={required.has(name)}
          onChange={(next) => set(name, next)}
          onRemove={required.has(name) || usual.has(name) ? undefined : () => remove(name)}
          compact={compact}
        />
      ))}
      {closed.length > 0 && (
        <div class="add-fields">
          <span class="fine">{formTexts().addField}</span>
          {closed.map((name) => (
            <button key={name} type="button" class="small" onClick={() => add(name)}>
              {fieldText(name)}
            </button>
          ))}
        </div>
      )}
    </>
  );
};
