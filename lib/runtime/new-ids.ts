import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';

/** A stock of random hex digits: a request for few bytes would cost a tenth of a call. */
let drawn = '';
let used = 0;

const draw = (count: number): string => {
  if (used + count > drawn.length) {
    drawn = randomBytes(4096).toString('hex');
    used = 0;
  }
  used += count;
  return drawn.slice(used - count, used);
};

/** Returns random hex digits that are not all zero. */
const hexDigits = (count: number): string => {
  const digits = draw(count);
  return /[^0]/.test(digits) ? digits : hexDigits(count);
};

/**
 * A new trace id of W3C Trace Context, 32 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#trace-id
 */
export const newTraceId = (): string => hexDigits(32);

/** A new span id, 16 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#parent-id */
export const newSpanId = (): string => hexDigits(16);

/** Returns a random number from 0 to below 1, of one byte. */
const fraction = (): number => Number.parseInt(draw(2), 16) / 256;

/**
 * A new ULID. The package asks for a random number for each of 16 characters, and its own source would ask the
 * operating system each time: ids of 200 lines would then take longer than the rest of a command.
 * https://github.com/ulid/spec
 *
 * @param at the time in the id, in epoch milliseconds; now when it is absent
 */
export const newUlid = (at?: number): string => ulid(at, fraction);
