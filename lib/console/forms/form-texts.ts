import english from '../texts/en/forms.json' with { type: 'json' };
import { fill } from '../texts/fill.ts';
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/forms.json' with { type: 'json' };
import portuguese from '../texts/pt/forms.json' with { type: 'json' };
import { formatMoney } from '../texts/format.ts';
import type { FieldError } from './check.ts';
import type { FoundError } from './found-error.ts';

export const formTexts = texts(english, portuguese, brazilian);

const patternTexts = {
  '^[a-z_]+$': 'patternCode',
  '^https?://[\\x21-\\x7e]+$': 'patternUrl',
  '^[A-Za-z0-9._:/#+=|~-]*$': 'patternReference',
  '^[\\x21-\\x7e]+$': 'patternId',
  '^[a-z][a-z0-9_-]{0,39}$': 'patternPlatform',
} as const;

const patternText = (pattern: string): string => {
  const name = (patternTexts as Readonly<Record<string, (typeof patternTexts)[keyof typeof patternTexts]>>)[pattern];
  return formTexts()[name ?? 'pattern'];
};

/** Returns what is wrong with a field, and what it accepts. */
export const fieldErrorText = ({ code, limit = 0, pattern = '' }: FieldError): string => {
  const t = formTexts();
  if (code === 'pattern') return patternText(pattern);
  return fill(t[code], { limit, count: limit });
};

/** Returns an error of the service in the words of the form; undefined where only its message says it. */
export const foundErrorText = ({ code, limit = 0, minor }: FoundError, currency: string | undefined) => {
  if (code === undefined || (minor !== undefined && currency === undefined)) return undefined;
  const most = minor === undefined ? limit : formatMoney({ amount: minor, currency: currency ?? '' });
  return fill(formTexts()[code], { limit: most });
};
