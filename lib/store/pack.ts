import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { dictionary } from './dictionary.ts';

/** Below this a compressed value saves nothing worth its time. Writing costs by the kilobyte of an item. */
const plainBytes = 200;

/** Which dictionary a value was deflated with: its first byte. */
const version = 1;

/** An item may be 400 KB with its keys; what is left for the value itself. */
const largestBytes = 380 * 1024;

/**
 * What is kept is answered with, and what a function answers may have 6 MiB: its body is text in JSON there, and notes
 * and the customer join it. Text that says the same often fits into an item long after it fits into no answer.
 */
const largestAnswer = 4 * 1024 * 1024;

/** What JSON takes of an answer, as text in JSON. */
const bytesOf = (json: string): number => Buffer.byteLength(JSON.stringify(json));

/** As many of the first items as one answer can carry, one at least. */
export const fitting = <Item>(items: readonly Item[]): Item[] => {
  let room = largestAnswer;
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

/**
 * A JSON value as one attribute: text when small, deflated when larger, by what such values usually say.
 *
 * @throws TooLargeError when it fits into no item even then, or into no answer
 */
export const pack = (value: unknown): string | Uint8Array => {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) <= plainBytes) return json;
  const answered = bytesOf(json);
  if (answered > largestAnswer) throw new TooLargeError(`${answered} bytes do not fit into an answer`);
  const bytes = Buffer.concat([Buffer.of(version), deflateRawSync(json, { dictionary })]);
  if (bytes.length > largestBytes) throw new TooLargeError(`${bytes.length} bytes do not fit into an item`);
  return bytes;
};

/**
 * The value that `pack` made an attribute of.
 *
 * @throws Error for what `pack` has not made
 */
export const unpack = (attribute: string | Uint8Array): unknown => {
  if (typeof attribute === 'string') return JSON.parse(attribute);
  if (attribute[0] !== version) throw new Error('a stored value of an unknown version');
  return JSON.parse(inflateRawSync(attribute.subarray(1), { dictionary }).toString());
};
