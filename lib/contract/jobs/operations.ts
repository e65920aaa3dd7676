import { adminCommand, creating, reading } from '../entry.ts';
import { ErasureJob, ExportJob, Job, JobList, JobPath, JobQuery, NewErasure, NewExport } from './job.ts';
import { erasing, erasingHead, exporting, exportingHead, from, job, queued } from './examples.ts';
import { ref } from '../example-story.ts';

/* The operations on jobs. */

export const createExport = creating({
  path: '/exports',
  scope: 'returns:admin',
  summary: 'Write returns into files',
  description:
    'Begins a job and answers at once; a client may have five open exports (429). `getJob` has the files once it is done. NDJSON: a return on each line, as getReturn shows it, without what is personal; of the customer the id and the segment. CSV (RFC 4180): a row for each line of a return, amounts in minor units, and an apostrophe before what a spreadsheet would take for a formula, whichever separator it expects. A small export is one file; a large one is several of about 4 MB, each with the header. Returns that change while it runs are in it as they were before or after; one that fits no 1,000 files of 4 MB fails with `too_large`: narrow it by `from` and `until`.',
  body: NewExport,
  answers: ExportJob,
  example: { body: { format: 'csv' as const, from }, output: exporting },
});

export const eraseCustomer = creating({
  path: '/erasures',
  scope: 'returns:admin',
  summary: 'Erase what is kept of a person',
  description:
    'Begins a job and answers at once; a client may have 20 open erasures (429). Deleted are name and address, what was written about the returns with its salts, files of evidence, deliveries about the returns or their orders, and deliveries without a readable order whose bodies name the customer, an order or a return. The names in the histories for whom clients acted can no longer be read. Returns and their histories stay, with ids and digests that reveal nothing without the salts; `"erased": true` stands where something was erased, in returns, orders and histories, and `textsErasedThrough` in exports. It goes on until nothing is found any more, and may be repeated; what a shop sends about the person later is stored again. Exactly one of `customerId` and `orderId` is named; where a shop names the customer of an order, `orderId` erases nothing of the customer but the data of that order.',
  body: NewErasure,
  answers: ErasureJob,
  example: { body: { platform: ref.platform, customerId: '7' }, output: erasing },
});

export const listJobs = reading({
  path: '/jobs',
  scope: 'returns:admin',
  summary: 'List jobs, newest first',
  description:
    'Without progress, reports and files: getJob has those. Filters narrow together. Eventually consistent: a page may be short, or empty, and still have a next one. Jobs are kept for 90 days.',
  query: JobQuery,
  answers: JobList,
  refuses: ['invalid_cursor'],
  example: { output: { items: [erasingHead, exportingHead], nextCursor: null } },
});

export const getJob = reading({
  path: '/jobs/{jobId}',
  scope: 'returns:admin',
  summary: 'Read how far a job has come, and what it has found',
  description:
    'While it runs, its report so far. Of a backtest, the examples of each direction are those with the smallest ids; of an export that is done, its files with addresses that serve them for five minutes. Jobs are kept for 90 days.',
  params: JobPath,
  answers: Job,
  refuses: ['job_not_found'],
  example: { output: job },
});

export const cancelJob = adminCommand({
  path: '/jobs/{jobId}/cancel',
  summary: 'Cancel a job',
  description:
    'Its workers stop after what they are at; what they have found stays, and what they have deleted is gone. A job that is done or failed is `invalid_transition`.',
  params: JobPath,
  answers: Job,
  ifMatch: 'ignored',
  refuses: ['job_not_found', 'invalid_transition'],
  example: { output: { ...queued, status: 'cancelled' as const } },
});
