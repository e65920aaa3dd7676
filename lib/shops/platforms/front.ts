import { timingSafeEqual } from 'node:crypto';
import { hooksFrontConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256Bytes } from '../../runtime/hash.ts';
import { parseObject } from '../../runtime/json.ts';
import { secrets } from '../../access/secrets/source.ts';

/*
 * A deployment may have a front before the hooks that filters and limits senders, such as CloudFront with WAF. The
 * gateway's own address stays open, so the front adds a header with a secret value.
 */

/** The header that the front adds to each request. Because of its name, its value is not stored with a delivery. */
const frontHeader = 'x-returns-front-secret';

const config = configured(hooksFrontConfig);

/** Compares digests, which have one length, in constant time. */
const isOneOf = (token: string, values: readonly string[]): boolean => {
  const digest = sha256Bytes(token);
  return values.filter((value) => timingSafeEqual(sha256Bytes(value), digest)).length > 0;
};

/** Returns the valid values: two of them during a rotation. */
const valuesIn = (text: string): readonly string[] => {
  const values = parseObject(text)?.['values'];
  const usable = Array.isArray(values) && values.every((value) => typeof value === 'string' && value.length >= 32);
  if (!usable || values.length === 0)
    throw new Error('the secret of the front must hold "values", texts of 32 characters or more');
  return values as readonly string[];
};

/**
 * Whether a request passed the front, or the deployment has none.
 * For an unknown value it reads the secret again, as often as lib/access/secrets allows, because the value may be new.
 *
 * @throws {SecretUnavailable} when the secret cannot be read
 */
export const isFromFront = async (
  headers: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<boolean> => {
  const { front, secretPrefix } = config();
  if (front === 'off') return true;
  const token = headers[frontHeader];
  if (token === undefined) return false;
  const read = async (force: boolean) =>
    valuesIn((await secrets().read(`${secretPrefix}/webhooks/front`, { signal, force })).text);
  return isOneOf(token, await read(false)) || isOneOf(token, await read(true));
};
