import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { common } from '../../../texts/common.ts';

/* Small inputs for the fields of a document. An empty input removes an optional field. */

type Common = { readonly label: string; readonly hint?: string };

const Field = ({ id, label, hint, children }: Common & { id: string; children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <span class="field-hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
  </div>
);

const described = (id: string, hint: string | undefined) =>
  hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };

export const TextInput = ({
  value,
  onChange,
  isLong = false,
  ...rest
}: Common & { value: string; onChange: (value: string) => void; isLong?: boolean }) => {
  const id = useId();
  const props = {
    id,
    value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
    ...described(id, rest.hint),
  };
  return (
    <Field id={id} {...rest}>
      {isLong ? <textarea rows={2} {...props} /> : <input {...props} />}
    </Field>
  );
};

/** A whole number. */
export const NumberInput = ({
  value,
  onChange,
  ...rest
}: Common & { value: unknown; onChange: (value: number | undefined) => void }) => {
  const id = useId();
  return (
    <Field id={id} {...rest}>
      <input
        id={id}
        type="number"
        step={1}
        value={typeof value === 'number' ? value : ''}
        {...described(id, rest.hint)}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : Math.trunc(Number(currentTarget.value)))
        }
      />
    </Field>
  );
};

/** A list of texts or numbers in one line. It changes when the person leaves the input. */
export const ListInput = ({
  value,
  onChange,
  isNumeric = false,
  ...rest
}: Common & { value: unknown; onChange: (value: (string | number)[]) => void; isNumeric?: boolean }) => {
  const id = useId();
  const parse = (text: string) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return isNumeric ? parts.map(Number).filter((part) => Number.isFinite(part)) : parts;
  };
  return (
    <Field id={id} {...rest}>
      <input
        id={id}
        value={Array.isArray(value) ? value.join(', ') : ''}
        {...described(id, rest.hint)}
        onChange={({ currentTarget }) => onChange(parse(currentTarget.value))}
      />
    </Field>
  );
};

export type Choice = readonly [value: string, words: string];

export const SelectInput = ({
  value,
  choices,
  onChange,
  isOptional = false,
  ...rest
}: Common & {
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  isOptional?: boolean;
}) => {
  const id = useId();
  const isKnown = choices.some(([choice]) => choice === value);
  return (
    <Field id={id} {...rest}>
      <select
        id={id}
        value={value}
        {...described(id, rest.hint)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {isOptional && <option value="">{common().none}</option>}
        {!isKnown && !(isOptional && value === '') && (
          <option value={value}>{value === '' ? common().choose : value}</option>
        )}
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
};

/** A set of words, each with a box. */
export const SetInput = ({
  label,
  value,
  choices,
  onChange,
}: Common & { value: unknown; choices: readonly Choice[]; onChange: (value: string[]) => void }) => {
  const chosen = new Set(Array.isArray(value) ? value : []);
  return (
    <fieldset class="boxes">
      <legend>{label}</legend>
      {choices.map(([choice, words]) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.has(choice)}
            onChange={({ currentTarget }) => {
              if (currentTarget.checked) chosen.add(choice);
              else chosen.delete(choice);
              onChange(choices.map(([each]) => each).filter((each) => chosen.has(each)));
            }}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
};
