import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { type BacktestRequest, newBacktestPartitions } from '../../../domain/policies/backtest/job.ts';
import { firstEffectiveFrom } from '../../../domain/policies/lifecycle/catalogue.ts';
import type { BacktestJob } from '../../../store/jobs/job.ts';
import { decisionPartitionCount } from '../../../store/policies/decisions.ts';
import { backtestView } from '../../views/job-view.ts';
import { beginJob, newJob } from '../jobs/begin-job.ts';
import { invalidRequest, noDraft, readDraft } from './known-policy.ts';

const millisecondsOfDay = 86_400_000;
const defaultDays = 365;
/** The maximum number of days. Each one costs a query, even without decisions. */
const maxDays = 3_660;
const defaultLimit = 100_000;

type BacktestRange = Pick<BacktestRequest, 'from' | 'until' | 'limit' | 'source'>;

/** Returns the range of decisions to compare. It ends now at the latest. */
const backtestRange = (
  { from, until, limit = defaultLimit, source = 'decisions' }: Input<'backtestDraft'>,
  now: number,
): Result<BacktestRange> => {
  const end = Math.min(now, until === undefined ? now : Date.parse(until));
  const begin = from === undefined ? end - defaultDays * millisecondsOfDay : Date.parse(from);
  if (begin >= end)
    return fail(invalidRequest({ path: '/from', code: 'maximum', message: 'must be in the past and before `until`' }));
  if (end - begin > maxDays * millisecondsOfDay)
    return fail(
      invalidRequest({ path: '/from', code: 'minimum', message: `must be at most ${maxDays} days before \`until\`` }),
    );
  return ok({ from: new Date(begin).toISOString(), until: new Date(end).toISOString(), limit, source });
};

/**
 * Starts a comparison of the current draft with stored decisions.
 * Each partition has a worker. A repeat of the request enqueues the unstarted partitions.
 */
export const backtestDraft = async (
  input: Input<'backtestDraft'>,
  call: Call,
): Promise<Result<Reply<Output<'backtestDraft'>>>> =>
  beginJob('backtestDraft', input, call, async (session, now) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { catalogue, known } = draft.value;
    const { head, document } = known;
    const range = backtestRange(input, now);
    if (!range.ok) return range;
    const { policyId, version, revision } = head;
    const created = newJob(call, now);
    // Days before the first policy have no decisions and are skipped. The range may then be empty.
    const first = firstEffectiveFrom(catalogue) ?? created.createdAt;
    const { from, until, limit } = range.value;
    const isVain = first >= until;
    const job: BacktestJob = {
      ...created,
      kind: 'backtest',
      status: isVain ? 'done' : 'open',
      request: { policyId, version, revision, ...range.value, from: isVain || first < from ? from : first },
    };
    const parts = newBacktestPartitions(limit, decisionPartitionCount).map((part) => ({
      ...part,
      done: part.done || isVain,
    }));
    return ok({ job, parts, body: backtestView(job, parts), document });
  });
