import { isMoney, isRecord } from '../../api/record.ts';
import { Money, Time } from '../../components/basics.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { valueText } from '../../forms/value-texts.ts';
import { valueWords } from '../../texts/fact-words.ts';
import { label } from '../../texts/labels.ts';

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);

const wordOf = (field: string, value: string): string =>
  field === 'status' ? label('status', value) : valueText(field, value);

/** A value of a return or of an entry: amounts, times and lists in words, nested fields as a list. */
export const Value = ({ field, value }: { field: string; value: unknown }) => {
  if (value === undefined || value === null) return <>–</>;
  if (isInstant(value)) return <Time at={value} />;
  if (typeof value === 'string') return <>{wordOf(field, value)}</>;
  if (Array.isArray(value) && !value.some(isRecord)) return <>{valueWords(value)}</>;
  if (Array.isArray(value))
    return (
      <ol class="values">
        {value.map((item, index) => (
          <li key={index}>
            <Value field={field} value={item} />
          </li>
        ))}
      </ol>
    );
  if (!isRecord(value)) return <>{valueWords(value)}</>;
  if (isMoney(value) && Object.keys(value).length === 2) return <Money of={value} />;
  return (
    <ul class="values">
      {Object.entries(value).map(([name, inner]) => (
        <li key={name}>
          <span class="value-name">{fieldText(name, field)}</span>: <Value field={name} value={inner} />
        </li>
      ))}
    </ul>
  );
};
