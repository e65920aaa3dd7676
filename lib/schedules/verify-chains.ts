import * as listReturns from '#validators/listReturns';
import * as verifyHistory from '#validators/verifyHistory';
import type { Backend } from '../contract/port.ts';
import * as operations from '../contract/operations.ts';
import { verifyConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { withValidation } from '../http/with-validation.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { openRun, type Remaining } from './run.ts';
import { walkReturns, type ReturnOutcome, type WalkResult } from './walk-returns.ts';

const name = 'verify-chains';

/** The index lags a little, and the clocks of writers differ. */
const marginMs = 600_000;

/** Time limit of the full walk in a run: 10 million returns are 60,000 an hour. */
const circleMs = 120_000;

/** Full walks that begin within `VERIFY_CIRCLE_DAYS`. */
const circlesInTime = 2;

const day = 86_400_000;

const config = configured(verifyConfig);

/** Runs one walk and then another, even if the first one fails. Throws a failure after both have ended. */
const runBoth = async <First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> => {
  const begun = await Promise.allSettled([first()]);
  const other = await second();
  const [one] = begun;
  if (one.status === 'rejected') throw one.reason;
  return [one.value, other];
};

type VerifyResult = WalkResult & { readonly broken: number; readonly circle: WalkResult };

/**
 * Verifies the histories of returns that changed since the previous walk began.
 * The first walk verifies all. Then it continues a full walk over all returns, which finds changes that bypassed the
 * service. A full walk that takes longer than VERIFY_CIRCLE_DAYS counts as `VerificationLate`. A broken history is
 * logged and counts as `ChainBroken`, once per run. So does a listed return that is missing: the service deletes no
 * return.
 *
 * @throws {ScheduleFailed} after the run, when some histories could not be verified
 */
export const verifyChains = (backend: Pick<Backend, 'listReturns' | 'verifyHistory'>) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const verify = withValidation<'verifyHistory'>(operations.verifyHistory, verifyHistory, backend.verifyHistory);
  return async function handler(_event: unknown, context: Remaining): Promise<VerifyResult> {
    const { circleDays } = config();
    using opened = openRun(name, context);
    const broken = new Set<string>();
    const report = (returnId: string, code: string | undefined, sequence?: number) => {
      if (broken.has(returnId)) return;
      broken.add(returnId);
      log('error', 'history broken', { returnId, code, sequence });
    };
    const deal = async ({ returnId: id }: { readonly returnId: string }): Promise<ReturnOutcome> => {
      const verified = await verify({ returnId: id }, opened.call('returns:read'));
      if (!verified.ok) {
        if (verified.failure.code !== 'return_not_found') return 'failed';
        report(id, 'return_missing');
        return 'done';
      }
      const { valid, firstFault } = verified.value.body;
      if (!valid) report(id, firstFault?.code, firstFault?.sequence);
      return 'done';
    };
    const changed = async () =>
      walkReturns(opened, {
        list,
        query: (earlier) => ({
          sort: 'updatedAt',
          ...(earlier !== undefined && { updatedFrom: new Date(Date.parse(earlier) - marginMs).toISOString() }),
        }),
        wants: () => true,
        deal,
      });
    const circle = async () =>
      walkReturns(
        { ...opened, name: `${name}-full`, end: Math.min(opened.end, Date.now() + circleMs) },
        {
          list,
          query: () => ({ sort: 'createdAt' }),
          wants: () => true,
          deal,
          periodMs: (circleDays * day) / circlesInTime,
        },
      );
    let isLate = 0;
    try {
      const [walked, circled] = await runBoth(changed, circle);
      isLate = !circled.through && Date.parse(opened.now) - Date.parse(circled.begun) > circleDays * day ? 1 : 0;
      return { ...walked, broken: broken.size, circle: circled };
    } finally {
      // Zero is counted too, because a missing metric is ambiguous.
      count({ ChainBroken: broken.size, VerificationLate: isLate });
    }
  };
};
