import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { instant } from '../shared/fields/fields.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/**
 * The credentials for a sender's own API.
 * The keys of its deliveries are in another entry:
 * lib/shops/platforms/shared/signatures/standard-webhooks.ts reads them.
 */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each sender numbers its orders itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
  accessToken: text('accessToken'),
  apiUrl: address('apiUrl'),
  orderPlatform: orderPlatform(),
});

/**
 * Returns the sender `source`, or undefined if it is not ours.
 * Its entry is `{ accessToken, apiUrl, orderPlatform? }`.
 */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/standard', source, readApiCredentials, options);

/*
 * Readers of a sender's response. They validate the fields that we use ourselves. An operation validates the fields
 * that are passed to it. A failure is a JSON Pointer.
 */
export type ParseResult<Value> = Result<Value, string>;

/** Reads an external id, the contract's `PlatformId`. An id in a path must not be dots. */
export const idAt = (value: unknown, at: string): ParseResult<string> =>
  typeof value === 'string' && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(value) ? ok(value) : fail(at);

/** Reads the units of a line. */
export const unitsAt = (value: unknown, minimum: 0 | 1, at: string): ParseResult<number> =>
  typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= 100_000 ? ok(value) : fail(at);

/** Reads an instant with its offset, and converts it to UTC. */
export const instantAt = (value: unknown, at: string): ParseResult<string> => {
  const isWhole = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);
  const read = isWhole ? instant(value) : undefined;
  return read === undefined ? fail(at) : ok(read);
};

/** Reads one of some words. */
export const wordAt = <const Word extends string>(
  value: unknown,
  words: readonly Word[],
  at: string,
): ParseResult<Word> => {
  const word = words.find((known) => known === value);
  return word === undefined ? fail(at) : ok(word);
};

/** Reads each object of a list; an absent list is empty. */
export const eachAt = <Value>(
  value: unknown,
  at: string,
  read: (object: JsonObject, at: string) => ParseResult<Value>,
): ParseResult<readonly Value[]> => {
  if (value === undefined) return ok([]);
  if (!Array.isArray(value)) return fail(at);
  const values: Value[] = [];
  for (const [index, item] of value.entries()) {
    const pointer = `${at}/${index}`;
    const result = isObject(item) ? read(item, pointer) : fail(pointer);
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
};
