import { type FieldLabel, Labelled, SelectField, useTyped } from '../../../components/fields.tsx';
import { common } from '../../../texts/common.ts';

/* Small inputs for the fields of a document. An empty input removes an optional field. */

export const TextInput = ({
  value,
  onChange,
  isLong = false,
  ...rest
}: FieldLabel & { value: string; onChange: (value: string) => void; isLong?: boolean }) => {
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  return (
    <Labelled {...rest}>
      {(props) =>
        isLong ? (
          <textarea rows={2} value={value} onInput={onInput} {...props} />
        ) : (
          <input value={value} onInput={onInput} {...props} />
        )
      }
    </Labelled>
  );
};

/** A whole number. */
export const NumberInput = ({
  value,
  onChange,
  ...rest
}: FieldLabel & { value: unknown; onChange: (value: number | undefined) => void }) => (
  <Labelled {...rest}>
    {(props) => (
      <input
        {...props}
        type="number"
        step={1}
        value={typeof value === 'number' ? value : ''}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : Math.trunc(Number(currentTarget.value)))
        }
      />
    )}
  </Labelled>
);

/** A list of texts or numbers in one line. It changes when the person leaves the input. */
export const ListInput = ({
  value,
  onChange,
  isNumeric = false,
  ...rest
}: FieldLabel & { value: unknown; onChange: (value: (string | number)[]) => void; isNumeric?: boolean }) => {
  const parse = (text: string) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return isNumeric ? parts.map(Number).filter((part) => Number.isFinite(part)) : parts;
  };
  const typed = useTyped(Array.isArray(value) ? value.join(', ') : '', (text) => onChange(parse(text)));
  return <Labelled {...rest}>{(props) => <input {...props} {...typed} />}</Labelled>;
};

export type Choice = readonly [value: string, words: string];

/** A choice. A value that is none of the choices stays until the person chooses another one. */
export const SelectInput = ({
  value,
  choices,
  onChange,
  isOptional = false,
  ...rest
}: FieldLabel & {
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  isOptional?: boolean;
}) => {
  const isKnown = choices.some(([choice]) => choice === value) || (isOptional && value === '');
  const unknown: readonly Choice[] = isKnown ? [] : [[value, value === '' ? common().choose : value]];
  return (
    <SelectField
      {...rest}
      {...(isOptional && { noneLabel: common().none })}
      value={value}
      options={[...unknown, ...choices]}
      onChange={onChange}
    />
  );
};

/** A set of words, each with a box. */
export const SetInput = ({
  label,
  value,
  choices,
  onChange,
}: FieldLabel & { value: unknown; choices: readonly Choice[]; onChange: (value: string[]) => void }) => {
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
              onChange(choices.map(([choice]) => choice).filter((choice) => chosen.has(choice)));
            }}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
};
