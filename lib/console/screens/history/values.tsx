import { Money, Time } from '../../components/basics.tsx';
import { valueWords } from '../../texts/fact-words.ts';
import { label } from '../../texts/labels.ts';
import { returnField } from './entry-words.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMoney = (value: Members): value is { amount: number; currency: string } =>
  typeof value['amount'] === 'number' && typeof value['currency'] === 'string' && Object.keys(value).length === 2;

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);

const wordOf = (field: string, value: string): string => {
  if (field === 'status') return label('status', value);
  return field === 'refundStatus' ? label('refund', value) : value;
};

/** A value of a return or of an entry: amounts, times and lists in words, nested fields as a list. */
export const Value = ({ field, value }: { field: string; value: unknown }) => {
  if (value === undefined || value === null) return <>–</>;
  if (isInstant(value)) return <Time at={value} />;
  if (typeof value === 'string') return <>{wordOf(field, value)}</>;
  if (Array.isArray(value) && !value.some(isMembers)) return <>{valueWords(value)}</>;
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
  if (!isMembers(value)) return <>{valueWords(value)}</>;
  if (isMoney(value)) return <Money of={value} />;
  return (
    <ul class="values">
      {Object.entries(value).map(([name, inner]) => (
        <li key={name}>
          <span class="value-name">{returnField(name)}</span>: <Value field={name} value={inner} />
        </li>
      ))}
    </ul>
  );
};
