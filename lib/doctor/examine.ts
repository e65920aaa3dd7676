import type { Clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { errorName } from '../runtime/log.ts';
import { type Check, failed, type Part, type Report, reportOf, type CheckContext } from './check.ts';

export type Examination = {
  /** In the order of the report. */
  readonly parts: readonly Part[];
  /** Milliseconds for all of it. */
  readonly limitMs: number;
  readonly clock: Clock;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
};

/** A part that throws is a defect of the doctor. The report says so and keeps what the other parts found. */
const runPart = async ({ name, run }: Part, underway: CheckContext): Promise<readonly Check[]> => {
  try {
    return await run(underway);
  } catch (error) {
    return [failed(name, `the check itself failed: ${errorName(error)}`, 'Report this: it is a defect of the doctor.')];
  }
};

/** Runs all parts at the same time and reports what they find. Changes nothing. */
export const examine = async ({ parts, limitMs, clock, traceId }: Examination): Promise<Report> => {
  using limit = deadline(clock, limitMs);
  const underway = { signal: limit.signal, end: clock.now() + limitMs, clock, traceId };
  const checks = await Promise.all(parts.map(async (part) => runPart(part, underway)));
  return reportOf(traceId, checks.flat());
};
