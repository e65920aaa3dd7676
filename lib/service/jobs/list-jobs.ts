import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readJobs, type JobPage } from '../../store/jobs/job-list.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { jobSummaryView } from '../../views/job-view.ts';

const defaultLimit = 50;
/** A page looks at as many jobs for those that pass the filters; the rest of them are behind its cursor. */
const maxExamined = 100;

type Filter = Pick<Input<'listJobs'>, 'status' | 'kind'>;
type Summary = Output<'listJobs'>['items'][number];

const matches = (job: Summary, { status, kind }: Filter): boolean =>
  (status === undefined || job.status === status) && (kind === undefined || job.kind === kind);

/** A page of those that match, and the id that was examined last when there may be more behind it. */
const pageOf = ({ jobs, rest, last }: JobPage, filter: Filter, limit: number) => {
  const found = jobs.map(({ job, versions }) => jobSummaryView(job, versions)).filter((job) => matches(job, filter));
  const items = found.slice(0, limit);
  if (found.length > limit) return { items, position: items.at(-1)?.jobId };
  return { items, position: rest ? last : undefined };
};

/** Lists jobs, the newest first. A request reads at most 200 of them, whatever the filters are. */
export const listJobs = async (input: Input<'listJobs'>, call: Call): Promise<Result<Reply<Output<'listJobs'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor, ...filter } = input;
    const scope = cursorScope('listJobs', call, filter);
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const isFiltered = Object.keys(filter).length > 0;
    const examined = isFiltered ? Math.max(limit, maxExamined) : limit;
    const { items, position } = pageOf(await readJobs(session, before.value, examined, Date.now()), filter, limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });
