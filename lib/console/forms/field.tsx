import { useState } from 'preact/hooks';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { fieldErrorsOf } from './check.ts';
import { CodeControl } from './code-control.tsx';
import {
  BooleanControl,
  ChoiceControl,
  IntegerControl,
  JsonControl,
  LongTextControl,
  MoneyControl,
  PercentControl,
  TextControl,
  TimeControl,
} from './controls.tsx';
import { fieldText } from './field-texts.ts';
import { elementId, type FieldProps, useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import type { Control } from './input-attributes.ts';
import { LineRows } from './line-rows.tsx';
import { ListField, RecordField } from './list-field.tsx';
import { ObjectFields } from './object-field.tsx';
import { emptyValue, type Kind, kindOf, lineKeyOf, type Resolved } from './schema.ts';

/** The hint of a field. */
const Hint = ({ id, text }: { id: string; text: string }) => (
  <span id={id} class="field-hint">
    {text}
  </span>
);

type ResolvedProps = Omit<FieldProps, 'schema'> & { readonly schema: Resolved; readonly kind: Kind };

const controls: Readonly<Partial<Record<Kind, Control>>> = {
  money: MoneyControl,
  choice: ChoiceControl,
  boolean: BooleanControl,
  integer: IntegerControl,
  percent: PercentControl,
  time: TimeControl,
  long: LongTextControl,
  text: TextControl,
  code: CodeControl,
  json: JsonControl,
};

const Remove = ({ name, onRemove }: { name: string; onRemove: () => void }) => (
  <button
    type="button"
    class="link-button"
    aria-label={fill(formTexts().removeField, { name: fieldText(name) })}
    onClick={onRemove}
  >
    {common().remove}
  </button>
);

/** A field with one input. */
const SingleField = ({ Control, ...props }: ResolvedProps & { readonly Control: Control }) => {
  const { name, schema, value, path, required, onChange, onRemove, compact = false } = props;
  const error = useFormInfo().fieldErrors.get(path);
  const id = elementId(path);
  const hint = compact ? undefined : schema.description;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <div class="field-head">
        <label for={id} class="field-label">
          {fieldText(name)}
          {required && !compact && <span class="fine"> ({common().required})</span>}
        </label>
        {onRemove !== undefined && <Remove name={name} onRemove={onRemove} />}
      </div>
      <Control
        name={name}
        schema={schema}
        value={value}
        onChange={onChange}
        required={required}
        attributes={{
          id,
          required,
          'aria-describedby': described === '' ? undefined : described,
          'aria-invalid': error !== undefined,
        }}
      />
      {hint !== undefined && <Hint id={`${id}-hint`} text={hint} />}
      {error !== undefined && (
        <span id={`${id}-error`} class="field-error">
          {error}
        </span>
      )}
    </div>
  );
};

/** A field whose value may have several forms: a person chooses one of them first. */
const UnionField = ({ name, schema, value, path, required, onChange }: ResolvedProps) => {
  const { Field, resolve } = useFormInfo();
  const variants = schema.anyOf ?? [];
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      variants.findIndex((variant) => value !== undefined && fieldErrorsOf(resolve, variant, value).length === 0),
    ),
  );
  const variant = resolve(variants[chosen] ?? {});
  return (
    <>
      <select
        aria-label={`${fieldText(name)}: ${formTexts().variant}`}
        value={chosen}
        onChange={({ currentTarget }) => {
          const next = Number(currentTarget.value);
          setChosen(next);
          onChange(emptyValue(name, resolve(variants[next] ?? {})));
        }}
      >
        {variants.map((variant, index) => (
          <option key={index} value={index}>
            {Object.keys(resolve(variant).properties ?? {})
              .map((field) => fieldText(field))
              .join(', ') ||
              (resolve(variant).type ?? String(index + 1))}
          </option>
        ))}
      </select>
      <Field
        key={chosen}
        name={name}
        schema={variant}
        value={value}
        path={path}
        required={required}
        onChange={onChange}
      />
    </>
  );
};

const Inner = (props: ResolvedProps) => {
  const { resolve, lines } = useFormInfo();
  const { kind, schema, value, path, onChange, name } = props;
  if (kind === 'union') return <UnionField {...props} />;
  if (kind === 'record') return <RecordField {...props} />;
  if (kind === 'object')
    return <ObjectFields schema={schema} value={value} path={path} onChange={onChange} compact={props.compact} />;
  const lineKey = lines.length === 0 ? undefined : lineKeyOf(resolve, schema);
  return lineKey === undefined ? (
    <ListField name={name} schema={schema} value={value} path={path} onChange={onChange} />
  ) : (
    <LineRows schema={schema} value={value} path={path} onChange={onChange} lineKey={lineKey} />
  );
};

/** A field with fields of its own. */
const GroupField = (props: ResolvedProps) => {
  const { name, schema, path, required, onRemove, compact = false } = props;
  const error = useFormInfo().fieldErrors.get(path);
  const id = elementId(path);
  return (
    <fieldset
      id={id}
      class="field group"
      tabIndex={-1}
      {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
    >
      <legend>
        {fieldText(name)}
        {required && !compact && <span class="fine"> ({common().required})</span>}
        {onRemove !== undefined && (
          <>
            {' '}
            <Remove name={name} onRemove={onRemove} />
          </>
        )}
      </legend>
      {!compact && schema.description !== undefined && <Hint id={`${id}-hint`} text={schema.description} />}
      <Inner {...props} />
      {error !== undefined && (
        <span id={`${id}-error`} class="field-error">
          {error}
        </span>
      )}
    </fieldset>
  );
};

/** A field of a form, with its label, hint and error. */
export const Field = (props: FieldProps) => {
  const { resolve, choices } = useFormInfo();
  const schema = resolve(props.schema);
  const found = kindOf(props.name, schema);
  const kind = (found === 'text' || found === 'code') && choices[props.name] !== undefined ? 'choice' : found;
  const Control = controls[kind];
  return Control === undefined ? (
    <GroupField {...props} schema={schema} kind={kind} />
  ) : (
    <SingleField {...props} schema={schema} kind={kind} Control={Control} />
  );
};
