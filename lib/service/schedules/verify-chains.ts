import * as listReturns from '#validators/listReturns';
import * as listWithdrawals from '#validators/listWithdrawals';
import * as verifyHistory from '#validators/verifyHistory';
import * as verifyWithdrawalHistory from '#validators/verifyWithdrawalHistory';
import type { Backend, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import * as operations from '../../contract/operations.ts';
import { verifyConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { openRun, type Remaining, type Run } from './run.ts';
import { processReturns, processWithdrawals, type ItemOutcome, type RoundResult } from './process-returns.ts';

const name = 'verify-chains';

/** The index lags a little, and the clocks of writers differ. */
const marginMs = 600_000;

/** Time limit of the full round over returns in a run: 10 million returns are 60,000 an hour. */
const circleMs = 120_000;
/** Time limit of each round over withdrawals in a run. There are fewer of them, and their histories are shorter. */
const withdrawalsMs = 40_000;

/** Full rounds that begin within `VERIFY_CIRCLE_DAYS`. */
const circlesInTime = 2;

const day = 86_400_000;

const config = configured(verifyConfig);

/** Runs rounds one after another, even if one fails. Throws the first failure after all have ended. */
const runAll = async <Rounds extends readonly (() => Promise<RoundResult>)[]>(
  ...runs: Rounds
): Promise<{ readonly [Index in keyof Rounds]: RoundResult }> => {
  const ended: PromiseSettledResult<RoundResult>[] = [];
  for (const run of runs) ended.push(...(await Promise.allSettled([run()])));
  const results = ended.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return results as { readonly [Index in keyof Rounds]: RoundResult };
};

/** A part of a run with a checkpoint and a time limit of its own. */
const partOf = (run: Run, suffix: string, maxMs: number) => ({
  ...run,
  name: `${name}-${suffix}`,
  end: Math.min(run.end, Date.now() + maxMs),
});

type VerifyPorts = Pick<Backend, 'listReturns' | 'verifyHistory' | 'listWithdrawals' | 'verifyWithdrawalHistory'>;

type VerifyResult = RoundResult & {
  readonly broken: number;
  readonly circle: RoundResult;
  readonly withdrawals: RoundResult;
  readonly withdrawalsCircle: RoundResult;
};

/** The result of a verification, of either kind. */
type Verified = Result<
  Reply<{ readonly valid: boolean; readonly firstFault?: { readonly code: string; readonly sequence: number } }>
>;

const everything = () => ({ sort: 'createdAt' as const });

/** The list of what changed since the previous round began. The first round reads all. */
const changedSince = (earlier: string | undefined) => ({
  sort: 'updatedAt' as const,
  ...(earlier !== undefined && { updatedFrom: new Date(Date.parse(earlier) - marginMs).toISOString() }),
});

/**
 * Verifies the histories of returns and withdrawals that changed since the previous rounds began.
 * The first rounds verify all. Then it continues a full round over all returns, and one over all withdrawals. These
 * find changes that bypassed the service. A full round that takes longer than VERIFY_CIRCLE_DAYS counts as
 * `VerificationLate`. A broken history is logged and counts as `ChainBroken`, once per run. So does a listed return or
 * withdrawal that is missing: the service deletes none.
 *
 * @throws {ScheduleFailed} after the run, when some histories could not be verified
 */
export const verifyChains = (backend: VerifyPorts) => {
  const list = withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const verify = withValidation<'verifyHistory'>(operations.verifyHistory, verifyHistory, backend.verifyHistory);
  const listDeclared = withValidation<'listWithdrawals'>(
    operations.listWithdrawals,
    listWithdrawals,
    backend.listWithdrawals,
  );
  const verifyDeclared = withValidation<'verifyWithdrawalHistory'>(
    operations.verifyWithdrawalHistory,
    verifyWithdrawalHistory,
    backend.verifyWithdrawalHistory,
  );
  return async function handler(_event: unknown, context: Remaining): Promise<VerifyResult> {
    const { circleDays } = config();
    using opened = openRun(name, context);
    const broken = new Set<string>();
    const conclude = (noun: 'return' | 'withdrawal', id: string, verified: Verified): ItemOutcome => {
      if (!verified.ok && verified.failure.code !== `${noun}_not_found`) return 'failed';
      const { valid, firstFault } = verified.ok
        ? verified.value.body
        : { valid: false, firstFault: { code: `${noun}_missing`, sequence: undefined } };
      if (valid || broken.has(id)) return 'done';
      broken.add(id);
      const { code, sequence } = firstFault ?? {};
      log('error', 'history broken', { [`${noun}Id`]: id, code, sequence });
      return 'done';
    };
    const ofReturns = {
      list,
      wants: () => true,
      processItem: async ({ returnId }: { readonly returnId: string }) =>
        conclude('return', returnId, await verify({ returnId }, opened.call('returns:read'))),
    };
    const ofWithdrawals = {
      list: listDeclared,
      wants: () => true,
      processItem: async ({ withdrawalId }: { readonly withdrawalId: string }) =>
        conclude('withdrawal', withdrawalId, await verifyDeclared({ withdrawalId }, opened.call('returns:read'))),
    };
    const periodMs = (circleDays * day) / circlesInTime;
    const declared = (suffix: string) => partOf(opened, suffix, withdrawalsMs);
    let isLate = 0;
    try {
      const [withdrawals, changed, circle, withdrawalsCircle] = await runAll(
        // The round over changed returns may take all of the time. These are few.
        async () => processWithdrawals(declared('withdrawals'), { ...ofWithdrawals, query: changedSince }),
        async () => processReturns(opened, { ...ofReturns, query: changedSince }),
        async () => processReturns(partOf(opened, 'full', circleMs), { ...ofReturns, query: everything, periodMs }),
        async () => processWithdrawals(declared('withdrawals-full'), { ...ofWithdrawals, query: everything, periodMs }),
      );
      const isOverdue = ({ through, begun: startedAt }: RoundResult): boolean =>
        !through && Date.parse(opened.now) - Date.parse(startedAt) > circleDays * day;
      isLate = [circle, withdrawalsCircle].some(isOverdue) ? 1 : 0;
      return { ...changed, broken: broken.size, circle, withdrawals, withdrawalsCircle };
    } finally {
      // Zero is counted too, because a missing metric is ambiguous.
      count({ ChainBroken: broken.size, VerificationLate: isLate });
    }
  };
};
