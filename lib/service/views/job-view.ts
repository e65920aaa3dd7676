import type { Output } from '../../contract/contract.ts';
import { type BacktestPartition, mergePartitionReports } from '../../domain/policies/backtest/job.ts';
import type { LineGroups, MoneyDelta } from '../../domain/policies/backtest/line-groups.ts';
import type { BacktestReport } from '../../domain/policies/backtest/report.ts';
import { sum } from '../../domain/returns/units-by-line.ts';
import { linkToFile } from '../../store/jobs/exports.ts';
import {
  type BacktestJob,
  type BulkJob,
  type BulkPartition,
  type ErasureJob,
  type ErasurePartition,
  type ExportJob,
  type ExportPartition,
  filesOf,
  type Job,
  type JobPartition,
} from '../../store/jobs/job.ts';
import type { StoredVersion, WholeJob } from '../../store/jobs/jobs.ts';

type View = Output<'backtestDraft'>['report'];

const moneyView = (money: readonly MoneyDelta[]): View['money'] =>
  money.map(({ name, up, down }) => ({ currency: name, up, down }));

const groupsView = ({ named, rest }: LineGroups): View['byReason'] => ({
  items: named.map((group) => ({ ...group, worth: moneyView(group.worth) })),
  ...(rest === undefined ? {} : { rest: { ...rest, worth: moneyView(rest.worth) } }),
});

/** Makes the wire form of a backtest report. */
const reportView = (report: BacktestReport): View => {
  const { compared, unchanged, others, verdicts, lines, money, byReason, byCategory, examples, failures } = report;
  return {
    compared,
    unchanged,
    others,
    verdicts: verdicts.map(({ from, to, count }) => ({ from, to, count })),
    lines: lines.map(({ from, to, count }) => ({ from, to, count })),
    money: moneyView(money),
    byReason: groupsView(byReason),
    byCategory: groupsView(byCategory),
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

/** Returns whether no worker has written a partition yet. */
export const isUnstarted = ({ value, version }: StoredVersion<JobPartition>): boolean => version === 1 && !value.done;

/** Returns the common fields of all job views. */
const jobHead = <Stored extends Omit<Job, 'kind' | 'request'>>(job: Stored, versions: readonly number[]) => {
  const { id: jobId, status, ...fields } = job;
  const inWork = versions.some((version) => version > 1) ? ('running' as const) : ('queued' as const);
  return { jobId, ...fields, status: status === 'open' ? inWork : status };
};

/** Returns the fields of an export, without those that only its files need. */
const exportHead = (job: ExportJob, versions: readonly number[]) => {
  const { merged: _, ...head } = job;
  return jobHead(head, versions);
};

/** Returns the fields of a bulk job, without those that only its workers need. */
const bulkHead = (job: BulkJob, versions: readonly number[]) => {
  const { body: _, scopes: __, traceId: ___, nameDigest: ____, ...head } = job;
  return jobHead(head, versions);
};

/**
 * Makes the view of a job in lists.
 *
 * @param versions the versions of its partitions
 */
export const jobSummaryView = (job: Job, versions: readonly number[]): Output<'listJobs'>['items'][number] => {
  switch (job.kind) {
    case 'backtest':
      return jobHead(job, versions);
    case 'export':
      return exportHead(job, versions);
    case 'erasure':
      return jobHead(job, versions);
    case 'bulk':
      return bulkHead(job, versions);
  }
};

/** Returns the versions of partitions that no worker has written since the request. */
const initialVersions = (parts: readonly JobPartition[]): readonly number[] => parts.map(() => 1);

export const backtestView = (
  job: BacktestJob,
  parts: readonly BacktestPartition[],
  versions = initialVersions(parts),
): Output<'backtestDraft'> => ({
  ...jobHead(job, versions),
  progress: { examined: sum(parts.map(({ examined }) => examined)), limit: job.request.limit },
  report: reportView(mergePartitionReports(parts)),
});

/** Makes the view of an export without its files. */
export const exportView = (
  job: ExportJob,
  parts: readonly ExportPartition[],
  versions = initialVersions(parts),
): Output<'createExport'> => ({
  ...exportHead(job, versions),
  progress: {
    examined: sum(parts.map(({ examined }) => examined)),
    rows: sum(parts.flatMap(({ files }) => files.map(({ rows }) => rows))),
  },
});

/** Makes the view of an erasure, which has one partition. */
export const erasureView = (
  job: ErasureJob,
  { pass: passes, erased, returns }: ErasurePartition,
  versions: readonly number[] = [1],
): Output<'eraseCustomer'> => {
  const head = jobHead(job, versions);
  return {
    ...head,
    progress: { passes: head.status === 'queued' ? 0 : passes },
    report: { erased, kept: { returns } },
  };
};

/** Makes the view of a bulk job. The partitions have the returns in the order of the request. */
export const bulkView = (
  job: BulkJob,
  parts: readonly BulkPartition[],
  versions = initialVersions(parts),
): Output<'createBulk'> => {
  const results = parts.flatMap((part) => part.results);
  const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  return {
    ...bulkHead(job, versions),
    progress: { succeeded: count('succeeded'), refused: count('refused'), failed: count('failed') },
    results,
  };
};

/** Makes the view of a bulk job; undefined for a job of another kind. */
export const bulkViewOf = ({ job: { value: job }, parts }: WholeJob): Output<'getBulk'> | undefined =>
  job.kind === 'bulk'
    ? bulkView(
        job,
        parts.map(({ value }) => value as BulkPartition),
        parts.map(({ version }) => version),
      )
    : undefined;

/** Makes the wire form of a job, with all that its partitions have done. A partition has the kind of its job. */
export const jobView = ({ job: { value: job }, parts }: WholeJob): Output<'getJob'> => {
  const values: readonly JobPartition[] = parts.map(({ value }) => value);
  const versions = parts.map(({ version }) => version);
  switch (job.kind) {
    case 'backtest':
      return backtestView(job, values as readonly BacktestPartition[], versions);
    case 'export':
      return exportView(job, values as readonly ExportPartition[], versions);
    case 'erasure': {
      const [part] = values as readonly ErasurePartition[];
      if (part === undefined) throw new Error(`${job.id} has no part`);
      return erasureView(job, part, versions);
    }
    case 'bulk':
      return bulkView(job, values as readonly BulkPartition[], versions);
  }
};

/** The retention time of files in the bucket. serverless.yml has the same. */
const retentionMs = 7 * 86_400_000;

/**
 * Adds the download URLs of a completed export, while its files are stored.
 *
 * @param now epoch milliseconds
 */
export const jobViewWithFiles = async (whole: WholeJob, now: number): Promise<Output<'getJob'>> => {
  const view = jobView(whole);
  if (view.kind !== 'export' || view.status !== 'done' || now - Date.parse(view.createdAt) >= retentionMs) return view;
  const parts = whole.parts.map(({ value }) => value as ExportPartition);
  const files = filesOf(whole.job.value as ExportJob, parts).map(async (file) => {
    const { name, rows, bytes } = file;
    return { name, rows, bytes, ...(await linkToFile(view.jobId, file, now)) };
  });
  return { ...view, files: await Promise.all(files) };
};
