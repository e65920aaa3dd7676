import { isObject } from '../../../../runtime/json.ts';
/** The response of the gateway. */
export type Response = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
};

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a response that the gateway itself creates. */
export const errorResponse = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

const headersOf = (source: unknown): Record<string, string> | undefined => {
  const headers: Record<string, string> = {};
  if (source !== undefined && source !== null && !isObject(source)) return undefined;
  for (const [name, value] of Object.entries(source ?? {})) {
    if (!isScalar(value)) return undefined;
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
};

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;

/**
 * Converts the result of a function to an HTTP response. It uses format 2.0, or 200 with the whole result as JSON when
 * the result has no status.
 *
 * @returns undefined for an invalid result
 */
export const responseOf = (answer: unknown): Response | undefined => {
  if (!isObject(answer) || !('statusCode' in answer)) {
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const { statusCode, body = '', cookies = [], isBase64Encoded } = answer;
  const status = typeof statusCode === 'string' ? Number(statusCode) : statusCode;
  const headers = headersOf(answer['headers']);
  if (!isStatus(status) || headers === undefined || !Array.isArray(cookies)) return undefined;
  if (body !== null && typeof body !== 'string') return undefined;
  return {
    status,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...headers,
      ...(cookies.length > 0 && { 'set-cookie': cookies.map(String) }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
};
