import { isRecord } from '../api/record.ts';
import { common } from '../texts/common.ts';
import english from '../texts/en/values.json' with { type: 'json' };
import { formatMoney, formatNumber, formatTime } from '../texts/format.ts';
import { label } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/values.json' with { type: 'json' };
import portuguese from '../texts/pt/values.json' with { type: 'json' };
import { fieldText } from './field-texts.ts';

/* The words for values of fields: the choices of a form, and what a command changes. */

const words = texts(english, portuguese, brazilian);

const wordOf = (name: string, code: string): string | undefined => {
  if (name === 'disposition') return label('disposition', code);
  if (name === 'refundStatus') return label('refund', code);
  return (words() as Readonly<Record<string, string>>)[code];
};

/** Returns the word for a code of a field, or the code itself if it has none. */
export const codeText = (name: string, code: string): string => wordOf(name, code) ?? code.replaceAll('_', ' ');

/** Fields whose texts are codes. Other texts are shown as they are: an id may look like a code. */
const coded: ReadonlySet<string> = new Set([
  'basis',
  'cause',
  'direction',
  'disposition',
  'initiatedBy',
  'managedBy',
  'method',
  'of',
  'outcome',
  'refundStatus',
  'resolution',
  'status',
  'type',
  'verdict',
  'visibility',
]);

/** Fields of an entry whose values need no name before them. */
export const selfEvident = /^(?:amount|direction|disposition|method|outcome|status|type)$/;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:/;

/** Returns a value of a resource in words. Groups of fields become a list of their fields. */
export const valueText = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? common().yes : common().no;
  if (typeof value === 'number') return /bps$/i.test(name) ? `${formatNumber(value / 100)} %` : formatNumber(value);
  if (typeof value === 'string')
    return instant.test(value) ? formatTime(value) : coded.has(name) ? codeText(name, value) : value;
  if (Array.isArray(value)) return value.map((item) => valueText(name, item)).join(', ');
  if (!isRecord(value)) return '';
  const { amount, currency } = value;
  if (typeof amount === 'number' && typeof currency === 'string') return formatMoney({ amount, currency });
  return Object.entries(value)
    .filter(([field, member]) => !/Id$|^id$|At$|^(?:at|events|attempts|order|actor)$/.test(field) && isShort(member))
    .map(([field, member]) => [field, valueText(field, member)] as const)
    .filter(([, text]) => text !== '')
    .map(([field, text]) => (selfEvident.test(field) ? text : `${fieldText(field)} ${text}`))
    .join(' · ');
};

/** Whether a field belongs into a summary: it has a value, and no list of objects. */
const isShort = (value: unknown): boolean => {
  if (value === undefined || value === 0 || (isRecord(value) && value['amount'] === 0)) return false;
  return !Array.isArray(value) || (value.length > 0 && value.every((item) => !isRecord(item)));
};
