import type { Clock } from '../../access/net/clock.ts';
import { deadline } from '../../access/net/deadline.ts';
import { errorName } from '../../runtime/log.ts';
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

/** Runs a part. If it throws, the doctor has a defect: the report says so and has the rows of the other parts. */
const runPart = async ({ name, run }: Part, underway: CheckContext): Promise<readonly Check[]> => {
  try {
    return await run(underway);
  } catch (error) {
    return [failed(name, `the check itself failed: ${errorName(error)}`, 'This is a defect of the doctor. Report it.')];
  }
};

/** Runs all parts concurrently and returns their report. Changes nothing. */
export const examine = async ({ parts, limitMs, clock, traceId }: Examination): Promise<Report> => {
  using limit = deadline(clock, limitMs);
  const underway = { signal: limit.signal, end: clock.now() + limitMs, clock, traceId };
  const checks = await Promise.all(parts.map(async (part) => runPart(part, underway)));
  return reportOf(traceId, checks.flat());
};
