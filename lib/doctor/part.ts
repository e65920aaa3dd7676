import type { Clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import type { Check } from './check.ts';

/** An examination that is going on. */
export type Underway = {
  /** Ends with the time of the whole examination. */
  readonly signal: AbortSignal;
  /** When that is, in epoch milliseconds. */
  readonly end: number;
  readonly clock: Clock;
  /** W3C trace id, 32 hex digits, by which the API's logs tell these requests. */
  readonly traceId: string;
};

/** A part of an examination. The parts run at the same time. */
export type Part = { readonly name: string; readonly run: (underway: Underway) => Promise<readonly Check[]> };

const callMs = 5_000;

/** Makes one call to AWS, which is given up after five seconds or at the end of the examination. */
export const within = async <Value>(
  { clock, signal }: Underway,
  call: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> => {
  using limit = deadline(clock, callMs, signal);
  return await call(limit.signal);
};
