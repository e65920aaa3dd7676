import type { ComponentChildren } from 'preact';
import { uninspected } from '../../api/line-units.ts';
import { fill } from '../../texts/fill.ts';
import { label } from '../../texts/labels.ts';
import { dispositions, type EntryError } from './inspection.ts';
import { t } from './texts.ts';
import type { Line } from './units.ts';
import type { Entry } from './work.ts';
import { fieldText } from '../../forms/field-texts.ts';

/** The options of a disposition. */
export const dispositionOptions = () =>
  dispositions.map((code) => (
    <option key={code} value={code}>
      {label('disposition', code)}
    </option>
  ));

const Field = ({
  id,
  name,
  hint,
  children,
}: {
  id: string;
  name: string;
  hint?: string;
  children: ComponentChildren;
}) => (
  <div class="field">
    <label for={id}>{name}</label>
    {children}
    {hint !== undefined && (
      <span class="field-hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
  </div>
);

/** The result of an inspection for units of a line. */
export const EntryForm = ({
  entry,
  line,
  name,
  isFirst,
  error,
  onChange,
  onSplit,
  onMerge,
}: {
  entry: Entry;
  line: Line;
  name: string;
  isFirst: boolean;
  error?: EntryError['code'];
  onChange: (entry: Entry) => void;
  onSplit: () => void;
  onMerge: () => void;
}) => {
  const id = `station-entry-${entry.key.replaceAll(' ', '-')}`;
  const set = (changes: Partial<Entry>) => onChange({ ...entry, ...changes });
  const text = t().inspect;
  const { outcome } = entry;
  return (
    <fieldset class="station-entry" tabIndex={-1} {...(isFirst && { id: `station-line-${entry.lineId}` })}>
      <legend>{name}</legend>
      <div class="station-outcome" role="radiogroup" aria-label={`${text.outcome}: ${name}`}>
        {(['accept', 'refuse'] as const).map((choice) => (
          <label key={choice} class="button station-large">
            <input
              type="radio"
              name={`${id}-outcome`}
              checked={outcome === choice}
              onChange={() =>
                set({ outcome: choice, disposition: choice === 'accept' ? entry.disposition || 'restock' : '' })
              }
            />
            {text[choice]}
          </label>
        ))}
      </div>
      {outcome !== undefined && (
        <div class="station-fields">
          <Field id={`${id}-quantity`} name={fill(text.quantity, { of: uninspected(line) })}>
            <input
              id={`${id}-quantity`}
              type="number"
              min={1}
              max={uninspected(line)}
              inputMode="numeric"
              value={entry.quantity}
              aria-invalid={error === 'tooMany' || error === 'badQuantity'}
              onInput={(event) => set({ quantity: event.currentTarget.value })}
            />
          </Field>
          <Field id={`${id}-grade`} name={text.grade} hint={text.gradeHint}>
            <input
              id={`${id}-grade`}
              type="text"
              maxLength={50}
              value={entry.grade}
              autoComplete="off"
              aria-describedby={`${id}-grade-hint`}
              onInput={(event) => set({ grade: event.currentTarget.value })}
            />
          </Field>
          <Field id={`${id}-disposition`} name={text.disposition}>
            <select
              id={`${id}-disposition`}
              value={entry.disposition}
              aria-invalid={error === 'needsDisposition'}
              onChange={(event) => set({ disposition: event.currentTarget.value })}
            >
              <option value="">—</option>
              {dispositionOptions()}
            </select>
          </Field>
          {outcome === 'accept' && (
            <Field id={`${id}-deduction`} name={text.deduction} hint={text.deductionHint}>
              <input
                id={`${id}-deduction`}
                type="text"
                inputMode="decimal"
                maxLength={6}
                value={entry.deduction}
                autoComplete="off"
                aria-invalid={error === 'badDeduction'}
                aria-describedby={`${id}-deduction-hint`}
                onInput={(event) => set({ deduction: event.currentTarget.value })}
              />
            </Field>
          )}
          <Field id={`${id}-note`} name={fieldText('note')}>
            <textarea
              id={`${id}-note`}
              maxLength={4000}
              value={entry.note}
              onInput={(event) => set({ note: event.currentTarget.value })}
            />
          </Field>
        </div>
      )}
      <div class="actions">
        {isFirst && Number(entry.quantity) > 1 && (
          <button type="button" onClick={onSplit}>
            {text.split}
          </button>
        )}
        {!isFirst && (
          <button type="button" onClick={onMerge}>
            {text.merge}
          </button>
        )}
      </div>
    </fieldset>
  );
};
