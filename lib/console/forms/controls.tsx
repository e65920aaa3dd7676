import { useState } from 'preact/hooks';
import { isRecord } from '../api/record.ts';
import { useTyped } from '../components/fields.tsx';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { digitsOf } from '../texts/format.ts';
import { instantOf, localOf } from '../texts/local-time.ts';
import { decimalText, parseDecimal } from './decimal.ts';
import { useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import type { ControlProps, InputAttributes } from './input-attributes.ts';
import { codeText } from './value-texts.ts';

/* The inputs for single values. */

const entered = (value: unknown): string => (typeof value === 'string' ? value : '');

export const TextControl = ({ name, value, onChange, attributes }: ControlProps) => {
  const suggestions = useFormInfo().suggestions[name] ?? [];
  const listId = `${attributes.id}-list`;
  return (
    <>
      <input
        {...attributes}
        type="text"
        autocomplete="off"
        value={entered(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
        {...(suggestions.length > 0 && { list: listId })}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
};

export const LongTextControl = ({ value, onChange, attributes }: ControlProps) => (
  <textarea
    {...attributes}
    value={entered(value)}
    onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
  />
);

export const ChoiceControl = ({ name, schema, value, onChange, attributes, required }: ControlProps) => {
  const { choices } = useFormInfo();
  // The service has a default for this field alone.
  const none = name === 'disposition' ? formTexts().noDisposition : '–';
  const options = choices[name] ?? (schema.enum ?? []).map((code) => ({ value: code, text: codeText(name, code) }));
  return (
    <select
      {...attributes}
      value={entered(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      {(!required || value === undefined) && <option value="">{required ? `${common().choose}…` : none}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
};

export const BooleanControl = ({ value, onChange, attributes }: ControlProps) => {
  const { required: _, ...others } = attributes;
  return (
    <select
      {...others}
      value={String(value === true)}
      onChange={(event) => onChange(event.currentTarget.value === 'true')}
    >
      <option value="true">{common().yes}</option>
      <option value="false">{common().no}</option>
    </select>
  );
};

export const IntegerControl = ({ schema, value, onChange, attributes }: ControlProps) => (
  <input
    {...attributes}
    type="number"
    inputMode="numeric"
    step={1}
    {...(schema.minimum !== undefined && { min: schema.minimum })}
    {...(schema.maximum !== undefined && { max: schema.maximum })}
    value={typeof value === 'number' ? value : ''}
    onInput={({ currentTarget }) => {
      if (currentTarget.value === '') onChange(currentTarget.validity.badInput ? 'x' : undefined);
      else onChange(Number(currentTarget.value));
    }}
  />
);

type DecimalProps = {
  readonly digits: number;
  readonly units: unknown;
  readonly unit: string;
  readonly onChange: (units: unknown) => void;
  readonly attributes: InputAttributes;
};

/** A decimal number that the API counts in the smallest unit. The text stays as the person writes it. */
const DecimalInput = ({ digits, units, unit, onChange, attributes }: DecimalProps) => {
  const [text, setText] = useState(() => (typeof units === 'number' ? decimalText(units, digits) : ''));
  const change = (next: string) => {
    setText(next);
    onChange(next === '' ? undefined : (parseDecimal(next, digits) ?? next));
  };
  return (
    <span class="with-unit">
      <input
        {...attributes}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <span class="unit">{unit}</span>
    </span>
  );
};

export const PercentControl = ({ value, onChange, attributes }: ControlProps) => (
  <DecimalInput digits={2} units={value} unit="%" onChange={onChange} attributes={attributes} />
);

export const MoneyControl = ({ value, onChange, attributes }: ControlProps) => {
  const { currency: fixed } = useFormInfo();
  const money = isRecord(value) ? value : {};
  const [chosen, setChosen] = useState(() => fixed ?? entered(money['currency']));
  const currency = fixed ?? chosen;
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  const change = (amount: unknown) => onChange(amount === undefined ? undefined : { amount, currency });
  return (
    <span class="row">
      <DecimalInput
        digits={isCurrency ? digitsOf(currency) : 2}
        units={money['amount']}
        unit={fixed ?? ''}
        onChange={change}
        attributes={attributes}
      />
      {fixed === undefined && (
        <input
          class="currency"
          type="text"
          aria-label="ISO 4217"
          maxLength={3}
          value={chosen}
          onInput={({ currentTarget }) => {
            const next = currentTarget.value.toUpperCase();
            setChosen(next);
            if (money['amount'] !== undefined) onChange({ amount: money['amount'], currency: next });
          }}
        />
      )}
    </span>
  );
};

/** A time in the zone of the browser, which the API gets in UTC. */
export const TimeControl = ({ value, onChange, attributes }: ControlProps) => {
  const typed = useTyped(localOf(entered(value)), (text) => onChange(instantOf(text)));
  return (
    <>
      <input {...attributes} {...typed} type="datetime-local" />
      <span class="field-hint">
        {fill(formTexts().zone, { name: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </span>
    </>
  );
};

/** Any value, as JSON. */
export const JsonControl = ({ value, onChange, attributes }: ControlProps) => {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next === '' ? undefined : (JSON.parse(next) as unknown));
    } catch {
      onChange(next);
    }
  };
  return <textarea {...attributes} class="mono" value={text} onInput={(event) => change(event.currentTarget.value)} />;
};
