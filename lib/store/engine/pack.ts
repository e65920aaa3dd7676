import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { dictionary } from './dictionary.ts';
import { NewerRelease } from './readable.ts';

/** Below this size compression saves too little. DynamoDB charges writes by the kilobyte. */
const minCompressedBytes = 200;

/** A value as it is stored. */
type Packed = string | Uint8Array;

/** The first byte of a deflated value: the dictionary alone, or the dictionary with another value. */
const [alone, withOther] = [1, 2];
const newest = withOther;
/** A text of a newer release begins with it. JSON never does, so the texts of this release need no mark. */
const newerText = '~';

/** An item may have 400 KB with its keys. This is the rest for the value. */
const maxItemBytes = 380 * 1024;

/**
 * Responses return stored values, and a function may return 6 MiB. The body is a JSON text inside JSON there, with
 * notes and the customer. Repetitive text fits into an item long after it exceeds a response.
 */
const maxResponseBytes = 4 * 1024 * 1024;

/** Returns the size of JSON inside a JSON response. */
const bytesOf = (json: string): number => Buffer.byteLength(JSON.stringify(json));

/** The maximum of `bytesOf`: JSON has no control characters, whose escapes would be longer. */
const maxBytesOf = (json: string): number => json.length * 3 + 2;

/** Returns as many of the first items as fit one response, at least one. */
export const takeFitting = <Item>(items: readonly Item[]): Item[] => {
  // Nearly all pages are far below the limit. Only others need the exact size, which makes JSON of JSON.
  let most = 0;
  if (items.every((item) => (most += maxBytesOf(JSON.stringify(item))) <= maxResponseBytes)) return [...items];
  let room = maxResponseBytes;
  const end = items.findIndex((item, index) => {
    room -= bytesOf(JSON.stringify(item));
    return room < 0 && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
};

/** A JSON value exceeds one item, or one response. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

const withText = (text: string): Buffer => Buffer.concat([dictionary, Buffer.from(text)]);

const dictionaryOf = (version: number | undefined, other: Packed | undefined): Buffer => {
  if (version === alone) return dictionary;
  if (version === withOther && other !== undefined) return withText(textOf(other));
  if (version !== undefined && version > newest) throw new NewerRelease();
  throw new Error('a stored value of an unknown version');
};

/**
 * Returns the size of the buffer for a result of so many expected bytes. Node allocates 16 KiB by default. That is far
 * more than most values need. A longer result takes several buffers.
 */
const chunkSizeFor = (bytes: number): number => Math.min(16_384, Math.max(1_024, bytes));

/** JSON is about eight times as long as its deflated form with a dictionary. */
const usualRatio = 8;

/** Returns the packed JSON. */
const textOf = (packed: Packed, other?: Packed): string => {
  if (typeof packed !== 'string')
    return inflateRawSync(packed.subarray(1), {
      dictionary: dictionaryOf(packed[0], other),
      chunkSize: chunkSizeFor(packed.length * usualRatio * 2),
    }).toString();
  if (packed.startsWith(newerText)) throw new NewerRelease();
  return packed;
};

/** @throws TooLargeError when the JSON exceeds one response */
const demandFitsResponse = (json: string): void => {
  // Nearly all values are far below the limit. Only others need the exact size, which makes JSON of JSON.
  if (maxBytesOf(json) <= maxResponseBytes) return;
  const answered = bytesOf(json);
  if (answered > maxResponseBytes) throw new TooLargeError(`${answered} bytes do not fit into an answer`);
};

const packJson = (json: string, other?: string): Packed => {
  if (Buffer.byteLength(json) <= minCompressedBytes) return json;
  demandFitsResponse(json);
  const deflated = deflateRawSync(json, {
    dictionary: other === undefined ? dictionary : withText(other),
    chunkSize: chunkSizeFor(Math.ceil((json.length / usualRatio) * 2)),
  });
  const bytes = Buffer.concat([Buffer.of(other === undefined ? alone : withOther), deflated]);
  if (bytes.length > maxItemBytes) throw new TooLargeError(`${bytes.length} bytes do not fit into an item`);
  return bytes;
};

/**
 * Packs a JSON value into one attribute: text when small, else deflated with a dictionary.
 *
 * @throws TooLargeError when it exceeds one item or one response
 */
export const pack = (value: unknown): Packed => packJson(JSON.stringify(value));

/**
 * Packs a value and its summary into two attributes of one item. They have much in common, so the value can be unpacked
 * only with its summary.
 *
 * @throws TooLargeError when one exceeds one item or one response
 */
export const packWithSummary = (
  value: unknown,
  summary: unknown,
): { readonly value: Packed; readonly summary: Packed } => {
  const json = JSON.stringify(summary);
  return { value: packJson(JSON.stringify(value), json), summary: packJson(json) };
};

/**
 * Unpacks an attribute that `pack` or `packWithSummary` made.
 *
 * @param other the packed summary that it was packed with, if any
 * @throws {NewerRelease} for an attribute of a newer release
 * @throws Error for an attribute that neither made
 */
export const unpack = (attribute: Packed, other?: Packed): unknown => JSON.parse(textOf(attribute, other));
