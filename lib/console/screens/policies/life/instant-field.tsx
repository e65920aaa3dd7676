import { useId } from 'preact/hooks';

const localOf = (at: string | undefined): string => {
  if (at === undefined) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** An optional time, entered in the zone of the browser. */
export const InstantField = ({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={localOf(value)}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : new Date(currentTarget.value).toISOString())
        }
      />
      {hint !== undefined && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
};
