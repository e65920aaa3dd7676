import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import { common } from '../texts/common.ts';
import { instantOf, localOf } from '../texts/local-time.ts';

/*
 * Inputs with their labels. `onChange` gets each change while typing. With `isFilter` it gets the finished text only, so
 * that a list is not read again for every letter.
 */

export type FieldLabel = { readonly label: string; readonly hint?: string; readonly required?: boolean };

/** An input with its label and hint. `children` gets the attributes that tie them together. */
export const Labelled = ({
  label,
  hint,
  required = false,
  children,
}: FieldLabel & {
  children: (props: { id: string; 'aria-describedby'?: string; required?: true }) => ComponentChildren;
}) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {label} {required && <span class="fine">({common().required})</span>}
      </label>
      {children({
        id,
        ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
        ...(required && { required: true }),
      })}
      {hint !== undefined && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
};

type InputEvent = { readonly currentTarget: { readonly value: string } };

/**
 * The attributes of an input that reports its finished text. They keep what a person types while the screen renders
 * again: an answer that arrives would put the old value back.
 */
export const useTyped = (value: string, onFinished: (text: string) => void) => {
  const [typed, setTyped] = useState<string>();
  return {
    value: typed ?? value,
    onInput: ({ currentTarget }: InputEvent) => setTyped(currentTarget.value),
    onChange: ({ currentTarget }: InputEvent) => {
      setTyped(undefined);
      onFinished(currentTarget.value);
    },
    // A person who types the old text again changes nothing.
    onBlur: () => setTyped(undefined),
  };
};

/** A text in one line, or in several. */
export const TextField = ({
  value,
  onChange,
  isFilter = false,
  isLong = false,
  type = 'text',
  maxLength,
  ...field
}: FieldLabel & {
  value: string;
  onChange: (value: string) => void;
  isFilter?: boolean;
  isLong?: boolean;
  type?: 'text' | 'url' | 'date' | 'number';
  maxLength?: number;
}) => {
  const typed = useTyped(value, (text) => onChange(text.trim()));
  const changed = ({ currentTarget }: InputEvent) => onChange(currentTarget.value.trim());
  const attributes = { value, autocomplete: 'off' as const, ...(maxLength !== undefined && { maxLength }) };
  // The types of Preact separate inputs by the roles that they may have.
  const oneLine: InputHTMLAttributes = {
    ...attributes,
    type: type as 'text',
    ...(isFilter ? typed : { onInput: changed }),
  };
  return (
    <Labelled {...field}>
      {(props) =>
        isLong ? (
          <textarea {...attributes} {...props} onInput={(event) => onChange(event.currentTarget.value)} />
        ) : (
          <input {...oneLine} {...props} />
        )
      }
    </Labelled>
  );
};

/** A time in the zone of the browser. The value is an instant in UTC, or empty. */
export const TimeField = ({
  value,
  onChange,
  ...field
}: FieldLabel & { value: string; onChange: (value: string) => void }) => {
  const typed = useTyped(localOf(value), (text) => onChange(instantOf(text) ?? ''));
  return <Labelled {...field}>{(props) => <input {...props} {...typed} type="datetime-local" />}</Labelled>;
};

/** A choice between a few values. Without `noneLabel`, one of them is always chosen. */
export const SelectField = ({
  value,
  onChange,
  options,
  noneLabel,
  ...field
}: FieldLabel & {
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
  noneLabel?: string;
}) => (
  <Labelled {...field}>
    {(props) => (
      <select {...props} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {noneLabel !== undefined && <option value="">{noneLabel}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** A box to tick. */
export const CheckField = ({
  label,
  checked,
  onChange,
  isDisabled = false,
}: {
  label: ComponentChildren;
  checked: boolean;
  isDisabled?: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
);
