import { parseObject } from '../../../runtime/json.ts';
import { addressError } from '../../../runtime/address.ts';
import { AccessError } from '../../../access/oauth/access-error.ts';
import { fieldNames, parseClientSecret, type ClientSecret } from '../../../access/oauth/client-secret.ts';
import { failed, passed, warning, type CheckedValue } from '../check.ts';

/** Frequent wrong names of fields, in lower case and without separators. */
const synonyms: Readonly<Record<string, keyof ClientSecret>> = {
  id: 'clientId',
  secret: 'clientSecret',
  password: 'clientSecret',
  issuer: 'authUrl',
  tokenurl: 'authUrl',
  cert: 'certificate',
  clientcertificate: 'certificate',
  key: 'privateKey',
  clientkey: 'privateKey',
  cacert: 'ca',
  cacertificate: 'ca',
};

const names = Object.keys(fieldNames) as (keyof ClientSecret)[];
const known = new Set(Object.values(fieldNames).flat());
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

const meantBy = (name: string): keyof ClientSecret | undefined =>
  names.find((field) => plain(field) === plain(name)) ??
  (Object.hasOwn(synonyms, plain(name)) ? synonyms[plain(name)] : undefined);

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** The unknown fields. A name that resembles no field is only counted, because it may be a secret by mistake. */
const unknownFields = (text: string): string => {
  const unread = Object.keys(parseObject(withoutMark(text)) ?? {}).filter((name) => !known.has(name));
  const meant = unread.flatMap((name) => {
    const field = meantBy(name);
    return field === undefined ? [] : [`"${name}" (did you mean ${field}?)`];
  });
  const others = unread.length - meant.length;
  return [...meant, ...(others === 0 ? [] : [`${others} ${others === 1 ? 'other' : 'others'}`])].join(', ');
};

/** Explains the error of a field. */
const fieldProblem = (text: string, fieldName: string): string => {
  const name = names.find((field) => field === fieldName);
  if (name === undefined) return 'is not a JSON object';
  const fields = parseObject(withoutMark(text)) ?? {};
  const value = fieldNames[name]
    .map((written) => fields[written])
    .find((field) => field !== undefined && field !== null);
  if (name === 'headers') return 'headers is not an object of names and texts, or has a header that other rules set';
  if (value === undefined || value === '') return `${name} is missing`;
  if (typeof value !== 'string') return `${name} is not a string`;
  return value.isWellFormed()
    ? `${name} ${addressError(value)}`
    : `${name} contains a lone surrogate (half a character)`;
};

type Oddity = readonly [detail: string, remedy: string];

const oddityOf = (name: 'clientId' | 'clientSecret', value: string): Oddity | undefined => {
  if (value.startsWith('\ufeff')) return [`${name} begins with a byte order mark`, `Remove the mark from ${name}.`];
  if (value === value.trim()) return undefined;
  return [
    `${name} begins or ends with white space, which is sent`,
    `Remove it, unless it belongs to ${name} at the provider.`,
  ];
};

/** Valid content that is probably a mistake: a detail and a remedy each. */
const oddities = (text: string, { clientId, clientSecret }: ClientSecret): readonly Oddity[] => {
  const mark: Oddity = ['the secret begins with a byte order mark', 'Save it as UTF-8 without the mark.'];
  const fields = [oddityOf('clientId', clientId), oddityOf('clientSecret', clientSecret)];
  return [text.startsWith('\ufeff') ? mark : undefined, ...fields].filter((problem) => problem !== undefined);
};

const form =
  '{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca? }, all strings, and headers?, an object of strings';

/** Checks the fields of the secret. The value holds the parsed fields. */
export const checkFields = (text: string): CheckedValue<ClientSecret> => {
  const unread = unknownFields(text);
  try {
    const fields = parseClientSecret(text);
    const present = names.filter((name) => fields[name] !== undefined).join(', ');
    const summary = `${present}; client ${fields.clientId.trim()}`;
    const suspicious: readonly Oddity[] = [
      ...oddities(text, fields),
      ...(unread === '' ? [] : [[`unknown fields: ${unread}`, `The secret is ${form}.`] satisfies Oddity]),
    ];
    const check =
      suspicious.length === 0
        ? passed('secret fields', summary)
        : warning(
            'secret fields',
            [summary, ...suspicious.map(([detail]) => detail)].join('; '),
            suspicious.map(([, remedy]) => remedy).join(' '),
          );
    return { checks: [check], value: fields };
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const problem = fieldProblem(text, error.reason.replace('malformed ', ''));
    const detail = unread === '' ? problem : `${problem}; unknown fields: ${unread}`;
    return { checks: [failed('secret fields', detail, `Write the secret as ${form}.`)], value: undefined };
  }
};
