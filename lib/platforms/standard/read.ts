import { fail, ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { instant } from '../shared/fields/fields.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What a sender is asked with, at its own API; lib/platforms/shared/signatures/standard-receiver.ts reads the keys of its deliveries. */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Each sender counts its orders by itself. */
  readonly orderPlatform: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials = ({ text, address, orderPlatform }: SourceEntry): ApiCredentials => ({
  accessToken: text('accessToken'),
  apiUrl: address('apiUrl'),
  orderPlatform: orderPlatform(),
});

/** The sender `source`, or undefined for one that is not ours; its entry is `{ accessToken, apiUrl, orderPlatform? }`. */
export const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/standard', source, readApiCredentials, options);

/*
 * What a sender answers is checked here as far as we count with it ourselves; whatever goes into an operation as it is, is
 * checked by the operation. A failure is a JSON Pointer.
 */
export type ParseResult<Value> = Result<Value, string>;

/** An id as a platform gives them, the contract's `PlatformId`; one that stands in paths is no dots. */
export const idAt = (value: unknown, at: string): ParseResult<string> =>
  typeof value === 'string' && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(value) ? ok(value) : fail(at);

/** Units of a line. */
export const unitsAt = (value: unknown, minimum: 0 | 1, at: string): ParseResult<number> =>
  typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= 100_000 ? ok(value) : fail(at);

/** An instant with its offset, in UTC. */
export const instantAt = (value: unknown, at: string): ParseResult<string> => {
  const isWhole = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);
  const read = isWhole ? instant(value) : undefined;
  return read === undefined ? fail(at) : ok(read);
};

/** One of some words. */
export const wordAt = <const Word extends string>(
  value: unknown,
  words: readonly Word[],
  at: string,
): ParseResult<Word> => {
  const word = words.find((one) => one === value);
  return word === undefined ? fail(at) : ok(word);
};

/** Each object of a list; an absent list is empty. */
export const eachAt = <Value>(
  value: unknown,
  at: string,
  read: (one: JsonObject, at: string) => ParseResult<Value>,
): ParseResult<readonly Value[]> => {
  if (value === undefined) return ok([]);
  if (!Array.isArray(value)) return fail(at);
  const values: Value[] = [];
  for (const [index, one] of value.entries()) {
    const place = `${at}/${index}`;
    const result = isObject(one) ? read(one, place) : fail(place);
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
};
