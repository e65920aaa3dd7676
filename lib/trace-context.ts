import { randomFillSync } from 'node:crypto';

/** Drawn in advance, many at a time: asked for so few, the generator of random bytes takes a tenth of a call. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

const hexDigits = (bytes: number): string => {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  const digits = drawn.toString('hex', used - bytes, used);
  return /[^0]/.test(digits) ? digits : hexDigits(bytes);
};

/** A new trace id of W3C Trace Context, 32 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#trace-id */
export const newTraceId = (): string => hexDigits(16);

/** A new span id, 16 hex digits, never all zero. https://www.w3.org/TR/trace-context-2/#parent-id */
export const newSpanId = (): string => hexDigits(8);
