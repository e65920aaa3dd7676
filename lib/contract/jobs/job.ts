import Type from 'typebox';
import { about, closed, id, oneOf, orNull, PageQuery } from '../scalars.ts';
import { backtestHead, BacktestJob } from './backtest-job.ts';
import { bulkHead, BulkJob } from './bulk-job.ts';
import { erasureHead, ErasureJob } from './export-and-erasure-jobs.ts';
import { exportHead, ExportJob } from './export-and-erasure-jobs.ts';
import { JobStatus } from './job-head.ts';

const { Optional: optional, Array: list } = Type;

export const JobPath = closed({ jobId: id('job') });

export const Job = Type.Union([BacktestJob, ExportJob, ErasureJob, BulkJob], {
  $id: 'Job',
  description: 'A long task, of the kind in `kind`. The service stores jobs for 90 days.',
});

const JobSummary = Type.Union(
  [
    closed(backtestHead, { $id: 'BacktestJobSummary', description: 'A backtest without its progress and report.' }),
    closed(exportHead, { $id: 'ExportJobSummary', description: 'An export without its progress and files.' }),
    closed(erasureHead, { $id: 'ErasureJobSummary', description: 'An erasure without its progress and report.' }),
    closed(bulkHead, { $id: 'BulkJobSummary', description: 'A bulk job without its progress and results.' }),
  ],
  { $id: 'JobSummary', description: 'A job in a list, of the kind in `kind`: without progress, report and files.' },
);

export const JobList = closed(
  {
    items: about(list(JobSummary), 'The jobs of the page, the newest first.'),
    nextCursor: about(orNull(Type.String()), 'The `cursor` of the next page. null on the last page.'),
  },
  {
    $id: 'JobList',
    description: 'A page of jobs, eventually consistent. It may be short or empty and still have a next page.',
  },
);

/** Several filters apply together. */
export const JobQuery = closed({
  status: optional(JobStatus),
  kind: optional(oneOf('backtest', 'export', 'erasure', 'bulk')),
  ...PageQuery.properties,
});
