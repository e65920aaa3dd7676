import { isObject } from '../../../../runtime/json.ts';
/** The response of the gateway. */
export type Response = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
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

const headersOf = (source: unknown = {}): Record<string, string> | undefined => {
  const headers: Record<string, string> = {};
  if (!isObject(source)) return undefined;
  for (const [name, value] of Object.entries(source)) {
    if (!isScalar(value)) return undefined;
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
};

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;

/**
 * Converts the result of a function, in format 2.0, to an HTTP response. API Gateway also takes a result without a
 * status, cookies, and a status as text. No function of ours has such a result.
 *
 * @returns undefined for another result
 */
export const responseOf = (answer: unknown): Response | undefined => {
  if (!isObject(answer)) return undefined;
  const { statusCode: status, body = '', isBase64Encoded } = answer;
  const headers = headersOf(answer['headers']);
  if (!isStatus(status) || headers === undefined || 'cookies' in answer || typeof body !== 'string') return undefined;
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
};
