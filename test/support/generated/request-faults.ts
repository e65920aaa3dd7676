import { illFormedTextErrors } from '../../../lib/contract/validation/input-limits.ts';
import type { Json, Parameter } from './document.ts';
import type { Request } from './request.ts';

/** The limit in the text of the document: 1 MiB. */
const largestBody = 1024 * 1024;

export const tooLarge = 'too large a body';

/** Returns whether a text exceeds the limit in bytes. A text with more characters needs no count. */
export const isTooLarge = (text: string): boolean => text.length > largestBody || Buffer.byteLength(text) > largestBody;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Returns whether a text fits the schema, as itself or as the number or boolean that it contains. */
const isFine = ({ validate }: Parameter, text: string): boolean => {
  const number = /^-?\d{1,15}$/.test(text) ? [Number(text)] : [];
  const boolean = text === 'true' || text === 'false' ? [text === 'true'] : [];
  return [text, ...number, ...boolean].some((value) => validate(value));
};

const pathFaults = ({ operation, path }: Request): string[] => {
  const values = decode(path)?.split('/');
  const names = operation.path.split('/');
  if (values?.length !== names.length || values.includes('', 1)) return ['no path of this operation'];
  return operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .filter((parameter) => !isFine(parameter, values[names.indexOf(`{${parameter.name}}`)] ?? ''))
    .map(({ name }) => `path ${name}`);
};

/** Returns query parameters by name. API Gateway joins repeated ones. */
export const queryOf = ({ query }: Pick<Request, 'query'>): ReadonlyMap<string, string> => {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined;
};

const queryFaults = (request: Request): string[] => {
  const known = request.operation.parameters.filter((parameter) => parameter.in === 'query');
  const query = queryOf(request);
  return [
    ...known.filter(({ name, required }) => required && !query.has(name)).map(({ name }) => `no query ${name}`),
    ...[...query]
      .filter(([name, value]) => !known.some((parameter) => parameter.name === name && isFine(parameter, value)))
      .map(([name]) => `query ${name}`),
  ];
};

/** Exactly one of the two conditions must be present, where the operation has both. The document says so in text. */
const conditionFaults = ({ operation, headers }: Request): string[] => {
  const known = operation.parameters.some(({ name }) => name === 'If-None-Match');
  const conditions = ['if-match', 'if-none-match'].filter((name) => headers[name] !== undefined);
  return !known || conditions.length === 1 ? [] : [`${conditions.length} conditions`];
};

const headerFaults = (request: Request): string[] => {
  const trial = queryOf(request).get('dryRun') === 'true';
  return request.operation.parameters.flatMap((parameter) => {
    const { name, in: where, required } = parameter;
    const keyed = name === 'Idempotency-Key';
    // A dry run ignores the key, and any other request needs it. The document says so in text.
    if (where !== 'header' || (keyed && trial)) return [];
    const value = request.headers[name.toLowerCase()];
    if (value === undefined) return required || keyed ? [`no header ${name}`] : [];
    return isFine(parameter, value) ? [] : [`header ${name}`];
  });
};

const parse = (text: string): { readonly value: Json } | undefined => {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
};

const bodyFaults = ({ operation, headers, body = '' }: Request): string[] => {
  if (operation.body === undefined) return [];
  const { required, mediaTypes, validate } = operation.body;
  if (body === '') return required ? ['no body'] : [];
  if (isTooLarge(body)) return [tooLarge];
  const type = headers['content-type']?.split(';')[0]?.toLowerCase() ?? '';
  if (!mediaTypes.includes(type)) return ['content type'];
  const parsed = parse(body);
  if (parsed === undefined) return ['no JSON'];
  if (!validate(parsed.value))
    return (validate.errors ?? []).map((error) => `body ${error.instancePath} ${error.keyword}`);
  return illFormedTextErrors(parsed.value).map(({ path }) => `half a character at ${path}`);
};

/** Returns the faults of a request by the document only. A request that fits it has none. */
export const faultsOfRequest = (request: Request): string[] => [
  ...pathFaults(request),
  ...queryFaults(request),
  ...headerFaults(request),
  ...conditionFaults(request),
  ...bodyFaults(request),
];
