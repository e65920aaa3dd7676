import type { Output } from '../../contract/schemas.ts';
import { reportOf, type Job, type Part } from '../../policies/backtest/job.ts';
import type { Groups, Moved } from '../../policies/backtest/moved.ts';
import type { Report } from '../../policies/backtest/report.ts';
import { sum } from '../../returns/sum.ts';
import type { Kept } from '../../store/jobs.ts';

type View = Output<'getJob'>;

const moved = (money: readonly Moved[]): View['report']['money'] =>
  money.map(({ name, up, down }) => ({ currency: name, up, down }));

const groups = ({ named, rest }: Groups): View['report']['byReason'] => ({
  items: named.map((group) => ({ ...group, worth: moved(group.worth) })),
  ...(rest === undefined ? {} : { rest: { ...rest, worth: moved(rest.worth) } }),
});

const reportView = (report: Report): View['report'] => {
  const { compared, unchanged, others, verdicts, lines, money, byReason, byCategory, examples, failures } = report;
  return {
    compared,
    unchanged,
    others,
    verdicts: verdicts.map(({ from, to, count }) => ({ from, to, count })),
    lines: lines.map(({ from, to, count }) => ({ from, to, count })),
    money: moved(money),
    byReason: groups(byReason),
    byCategory: groups(byCategory),
    examples: examples.flatMap((direction) =>
      direction.examples.map(({ before, after, ...example }) => ({
        ...example,
        before: { ...before, codes: [...before.codes] },
        after: { ...after, codes: [...after.codes] },
      })),
    ),
    failures: failures.map(({ name, count, decisionIds }) => ({ code: name, count, decisionIds: [...decisionIds] })),
  };
};

/** A part that no worker has written yet. */
export const isUnbegun = ({ value, version }: Kept<Part>): boolean => version === 1 && !value.done;

const statusOf = ({ status }: Job, parts: readonly Kept<Part>[]): View['status'] => {
  if (status !== 'open') return status;
  return parts.some(({ version }) => version > 1) ? 'running' : 'queued';
};

/** A job as the contract tells it, with all that its parts have done by then. */
export const jobView = (job: Job, parts: readonly Kept<Part>[]): View => {
  const { status: _, ...told } = job;
  const values = parts.map(({ value }) => value);
  return {
    ...told,
    status: statusOf(job, parts),
    progress: { examined: sum(values.map(({ examined }) => examined)), limit: job.request.limit },
    report: reportView(reportOf(values)),
  };
};
