import { randomBytes } from 'node:crypto';

// The global is a getter of Node, which takes longer than the clock itself.
const { performance } = globalThis;

/** Milliseconds of a monotonic clock. */
export const monotonicNow = (): number => performance.now();

/** A stock of random bytes: a request for few bytes would cost a tenth of a call. */
let drawn = '';
let used = 0;

const hexDigits = (count: number): string => {
  if (used + count > drawn.length) {
    drawn = randomBytes(4096).toString('hex');
    used = 0;
  }
  used += count;
  const digits = drawn.slice(used - count, used);
  return /[^0]/.test(digits) ? digits : hexDigits(count);
};

/**
 * A new trace id of W3C Trace Context, 32 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#trace-id
 */
export const newTraceId = (): string => hexDigits(32);

/** A new span id, 16 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#parent-id */
export const newSpanId = (): string => hexDigits(16);
