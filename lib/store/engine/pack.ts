import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { firstDictionary, secondDictionary } from './dictionary.ts';

/** Below this a compressed value saves nothing worth its time. Writing costs by the kilobyte of an item. */
const minCompressedBytes = 200;

/** A value as it is kept. */
type Packed = string | Uint8Array;

/** What a value was deflated with is its first byte: a dictionary, or the second one and after it another value. */
const [first, second, secondAndOther] = [1, 2, 3];

/** An item may be 400 KB with its keys; what is left for the value itself. */
const maxItemBytes = 380 * 1024;

/**
 * What is kept is answered with, and what a function answers may have 6 MiB: its body is text in JSON there, and notes
 * and the customer join it. Text that says the same often fits into an item long after it fits into no answer.
 */
const maxResponseBytes = 4 * 1024 * 1024;

/** What JSON takes of an answer, as text in JSON. */
const bytesOf = (json: string): number => Buffer.byteLength(JSON.stringify(json));

/** As many of the first items as one answer can carry, one at least. */
export const takeFitting = <Item>(items: readonly Item[]): Item[] => {
  let room = maxResponseBytes;
  const end = items.findIndex((item, index) => {
    room -= bytesOf(JSON.stringify(item));
    return room < 0 && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
};

/** A JSON value does not fit into one item, or into no answer. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

const dictionaryWithText = (packed: Packed): Buffer => Buffer.concat([secondDictionary, Buffer.from(textOf(packed))]);

const dictionaryOf = (version: number | undefined, other: Packed | undefined): Buffer => {
  if (version === first) return firstDictionary;
  if (version === second) return secondDictionary;
  if (version === secondAndOther && other !== undefined) return dictionaryWithText(other);
  throw new Error('a stored value of an unknown version');
};

/** The JSON that was packed. */
const textOf = (packed: Packed, other?: Packed): string =>
  typeof packed === 'string'
    ? packed
    : inflateRawSync(packed.subarray(1), { dictionary: dictionaryOf(packed[0], other) }).toString();

/**
 * A JSON value as one attribute: text when small, deflated when larger, by what such values usually say.
 *
 * @param other another value of the same item that says much of the same: it is needed to unpack this one
 * @throws TooLargeError when it fits into no item even then, or into no answer
 */
export const pack = (value: unknown, other?: Packed): Packed => {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) <= minCompressedBytes) return json;
  const answered = bytesOf(json);
  if (answered > maxResponseBytes) throw new TooLargeError(`${answered} bytes do not fit into an answer`);
  const [version, dictionary] =
    other === undefined ? [second, secondDictionary] : [secondAndOther, dictionaryWithText(other)];
  const bytes = Buffer.concat([Buffer.of(version), deflateRawSync(json, { dictionary })]);
  if (bytes.length > maxItemBytes) throw new TooLargeError(`${bytes.length} bytes do not fit into an item`);
  return bytes;
};

/**
 * The value that `pack` made an attribute of.
 *
 * @param other the value that it was packed with, if there was one
 * @throws Error for what `pack` has not made
 */
export const unpack = (attribute: Packed, other?: Packed): unknown => JSON.parse(textOf(attribute, other));
