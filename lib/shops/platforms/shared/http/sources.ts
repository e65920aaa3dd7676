import { AsyncLocalStorage } from 'node:async_hooks';
import { platformSecretsConfig } from '../../../../runtime/configuration/config.ts';
import { configured } from '../../../../runtime/container.ts';
import { isObject, parseObject, type JsonObject } from '../../../../runtime/json.ts';
import { log } from '../../../../runtime/log.ts';
import { addressError, baseOf } from '../../../../runtime/address.ts';
import type { SecretEvent } from '../../../../access/secrets/secret-event.ts';
import { secrets } from '../../../../access/secrets/source.ts';

const config = configured(platformSecretsConfig);

/**
 * A secret of a platform's shops, by its name below the prefix.
 * The credentials that verify deliveries are separate from those of the shops' APIs. So the receiver, which is public,
 * cannot read tokens.
 */
export type ShopSecret = `webhooks/${string}` | `api/${string}`;

const platformOf = (secret: ShopSecret): string => secret.slice(secret.indexOf('/') + 1);

const effectTokens = new AsyncLocalStorage<true>();

/**
 * Runs work that reads `<prefix>/effects/<platform>` in place of `<prefix>/api/<platform>`: only its tokens may write to
 * shops. It is no variable of the environment, because functions of the local stack share one.
 */
export const withEffectTokens = async <Value>(run: () => Promise<Value>): Promise<Value> => effectTokens.run(true, run);

/** Returns the id of the secret in Secrets Manager. */
const idOf = (secret: ShopSecret): string => {
  const { secretPrefix } = config();
  return effectTokens.getStore() === true && secret.startsWith('api/')
    ? `${secretPrefix}/effects/${platformOf(secret)}`
    : `${secretPrefix}/${secret}`;
};

/** An error in the secret. Its message names the place and quotes nothing. */
export class SourceError extends Error {
  override readonly name = 'SourceFault';
}

/** The secret's entry of one source, with readers for its fields. */
export type SourceEntry = {
  /** @throws when it is missing or no text */
  readonly text: (field: string) => string;
  readonly optionalText: (field: string) => string | undefined;
  /** @throws when it is missing or no list of texts */
  readonly texts: (field: string) => readonly string[];
  /** Returns an empty list if it is missing. @throws when it is no list of texts */
  readonly optionalTexts: (field: string) => readonly string[];
  /**
   * Returns an origin or base address, without a trailing slash.
   * @throws when it is invalid, or missing without a fallback
   */
  readonly address: (field: string, fallback?: string) => string;
  /** @returns the error to throw: it names a field and its requirement */
  readonly fieldError: (field: string, must: string) => Error;
  /**
   * Returns the platform under which the orders of this source are registered.
   * It is the platform itself, unless the field `orderPlatform` names another. It is for platforms that number orders
   * from 1 in each shop.
   *
   * @throws when an earlier source in the secret has the same
   */
  readonly orderPlatform: () => string;
};

const orderPlatformIn = (platform: string, value: unknown): unknown =>
  isObject(value) ? (value['orderPlatform'] ?? platform) : undefined;

const entryOf = (secret: ShopSecret, source: string, value: JsonObject, before: readonly unknown[]): SourceEntry => {
  const platform = platformOf(secret);
  const fieldError = (field: string, must: string) =>
    new SourceError(`the secret ${secret}: sources["${source}"].${field} must be ${must}`);
  const optionalText = (field: string): string | undefined => {
    const found = value[field];
    if (found === undefined) return undefined;
    if (typeof found !== 'string' || found === '') throw fieldError(field, 'a text');
    return found;
  };
  const text = (field: string): string => {
    const found = optionalText(field);
    if (found === undefined) throw fieldError(field, 'a text');
    return found;
  };
  const texts = (field: string): readonly string[] => {
    const found = value[field];
    if (Array.isArray(found) && found.every((item) => typeof item === 'string')) return found;
    throw fieldError(field, 'a list of texts');
  };
  return {
    fieldError,
    text,
    optionalText,
    texts,
    optionalTexts: (field) => (value[field] === undefined ? [] : texts(field)),
    address: (field, fallback) => {
      const found = (fallback === undefined ? text(field) : optionalText(field)) ?? fallback ?? '';
      if (addressError(found) !== undefined) throw fieldError(field, 'an http or https address');
      return baseOf(found);
    },
    orderPlatform: () => {
      const found = optionalText('orderPlatform') ?? platform;
      if (!/^[a-z][a-z0-9_-]{0,39}$/.test(found)) throw fieldError('orderPlatform', 'the name of a platform');
      if (before.some((other) => orderPlatformIn(platform, other) === found))
        throw fieldError(
          'orderPlatform',
          'another than that of the sources before: orders of two shops may have one number',
        );
      return found;
    },
  };
};

/**
 * Parses one source of a secret, `{ "sources": { "<source>": { … } } }`; undefined if it is absent.
 * An error in one source's entry does not affect the others.
 *
 * @throws an error that names the invalid place and quotes nothing of the secret
 */
export const parseSource = <Source>(
  secret: ShopSecret,
  text: string,
  source: string,
  read: (entry: SourceEntry) => Source,
): Source | undefined => {
  const content = parseObject(text);
  if (content === undefined) throw new SourceError(`the secret ${secret} is not a JSON object`);
  const { sources } = content;
  if (!isObject(sources)) throw new SourceError(`the secret ${secret} must hold an object "sources"`);
  const names = Object.keys(sources);
  const index = names.findIndex((name) => name.toLowerCase() === source.toLowerCase());
  const name = names[index];
  if (name === undefined) return undefined;
  const value = sources[name];
  if (!isObject(value)) throw new SourceError(`the secret ${secret}: sources["${name}"] must be an object`);
  return read(entryOf(secret, name, value, Object.values(sources).slice(0, index)));
};

export type FindOptions = { readonly fresh?: boolean; readonly signal?: AbortSignal };

/**
 * Returns the secret's entry of a source, or undefined if the source is not ours.
 * `fresh` reads the secret again, for values that did not match and may have been rotated. lib/access/secrets limits how
 * often.
 *
 * @throws {SecretUnavailable} when the secret cannot be read
 */
export const findSource = async <Source>(
  secret: ShopSecret,
  source: string,
  read: (entry: SourceEntry) => Source,
  { fresh = false, signal }: FindOptions = {},
): Promise<Source | undefined> => {
  const { text } = await secrets().read(idOf(secret), { ...(signal && { signal }), force: fresh });
  try {
    return parseSource(secret, text, source, read);
  } catch (error) {
    // The operator needs the place.
    log('error', 'platform secret malformed', { fault: error instanceof SourceError ? error.message : undefined });
    throw error;
  }
};

const sourceNamesIn = (text: string): readonly string[] => {
  const sources = parseObject(text)?.['sources'];
  return isObject(sources) ? Object.keys(sources) : [];
};

/** Reads the names of a secret's sources from Secrets Manager; undefined if it is unavailable. */
export const fetchSourceNames = async (
  secret: ShopSecret,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  let isNew = false;
  const onEvent = (event: SecretEvent): void => {
    if (event.type === 'secret read' && event.outcome === 'ok') isNew = true;
  };
  const { text } = await secrets().read(idOf(secret), { force: true, signal, onEvent });
  return isNew ? sourceNamesIn(text) : undefined;
};

/** Returns the names of a secret's sources. With `fresh` it includes those that were added since the last read. */
export const readSourceNames = async (
  secret: ShopSecret,
  { fresh = false, signal }: FindOptions = {},
): Promise<readonly string[]> => {
  const { text } = await secrets().read(idOf(secret), { ...(signal && { signal }), force: fresh });
  return sourceNamesIn(text);
};
