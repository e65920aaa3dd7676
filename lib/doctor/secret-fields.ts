import { parseObject } from '../json.ts';
import { addressFault } from '../net/address.ts';
import { AccessError } from '../oauth/access-error.ts';
import { fieldNames, parseClientSecret, type ClientSecret } from '../oauth/client-secret.ts';
import { failed, passed, warning, type Findings } from './check.ts';

/** Besides the names as they are, what people write for them; in lower case, without what joins words. */
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

/** The names that nothing reads. One that resembles none of ours is counted only: it could be a secret itself. */
const strangers = (text: string): string => {
  const unread = Object.keys(parseObject(text) ?? {}).filter((name) => !known.has(name));
  const meant = unread.flatMap((name) => {
    const field = meantBy(name);
    return field === undefined ? [] : [`"${name}" (is ${field} meant?)`];
  });
  const others = unread.length - meant.length;
  return [...meant, ...(others === 0 ? [] : [`${others} ${others === 1 ? 'other' : 'others'}`])].join(', ');
};

/** What is wrong with the field that could not be read. */
const faultOf = (text: string, place: string): string => {
  const name = names.find((field) => field === place);
  if (name === undefined) return 'is no JSON object';
  const fields = parseObject(text) ?? {};
  const value = fieldNames[name].map((written) => fields[written]).find((one) => one !== undefined && one !== null);
  if (value === undefined || value === '') return `${name} is missing`;
  return typeof value === 'string' ? `${name} ${addressFault(value)}` : `${name} is not text`;
};

const form = '{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca? }, each of them text';

/** Whether the secret's text holds what it should; the value is what it holds. */
export const checkFields = (text: string): Findings<ClientSecret> => {
  const unread = strangers(text);
  try {
    const fields = parseClientSecret(text);
    const present = names.filter((name) => fields[name] !== undefined).join(', ');
    const told = `${present}; client ${fields.clientId}`;
    const check =
      unread === ''
        ? passed('secret fields', told)
        : warning('secret fields', `${told}; nothing reads ${unread}`, `The secret is ${form}.`);
    return { checks: [check], value: fields };
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const fault = faultOf(text, error.reason.replace('malformed ', ''));
    const told = unread === '' ? fault : `${fault}; nothing reads ${unread}`;
    return { checks: [failed('secret fields', told, `Write the secret as ${form}.`)], value: undefined };
  }
};
