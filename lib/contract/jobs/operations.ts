import { adminCommand, command, creating, reading } from '../entry.ts';
import { BulkJob, NewBulk } from './bulk-job.ts';
import { ErasureJob, NewErasure } from './export-and-erasure-jobs.ts';
import { ExportJob, NewExport } from './export-and-erasure-jobs.ts';
import { Job, JobList, JobPath, JobQuery } from './job.ts';
import { beginning, bulk, erased, erasing, exported, exporting, from, job, queued } from './examples.ts';
import { ref, returnId } from '../example-story.ts';

/* The operations on jobs. */

export const createExport = creating({
  path: '/exports',
  scope: 'returns:admin',
  summary: 'Export returns to files',
  description:
    'A client may have five open exports: the next one fails with 429.\n\nThe operation starts a job and responds at once. `getJob` has the files when the job is done.\n\n- `ndjson`: each line is a return as `getReturn` shows it, without personal data. Of the customer it has the id and the segment.\n- `csv` (RFC 4180): each row is a line of a return. Amounts are in minor units. An apostrophe precedes each formula that a spreadsheet could find in a cell, for any separator, also after white space.\n- `history`: each line is the history of a return or withdrawal, with its inclusion proof in the last daily root. `npm run verify` checks it. With `status`, it has no withdrawals.\n\nA small export is one file. A large export is several files of about 4 MB, in CSV each with the header. A return that changes during the job is exported as it was before or after the change.\n\nAn export that exceeds 1,000 files of 4 MB fails with `too_large`. Narrow it by `from` and `until`.',
  body: NewExport,
  answers: ExportJob,
  example: { body: { format: 'csv' as const, from }, output: exporting },
});

export const eraseCustomer = creating({
  path: '/erasures',
  scope: 'returns:admin',
  summary: 'Erase the personal data of a customer',
  description:
    'Send exactly one of `customerId`, `orderId` and `withdrawalId`, the first two with `platform`. A client may have 20 open erasures: the next one fails with 429.\n\nThe operation starts a job and responds at once. The job deletes this data:\n\n- the name and the address\n- the texts about the returns, with their salts\n- the declarations of withdrawal that are matched to an order of the person, or the one that `withdrawalId` names\n- the files of evidence\n- the webhook deliveries about the returns or their orders\n- the webhook deliveries without a readable order whose bodies name the customer, an order or a return\n\nIn the histories, the names of the persons that clients acted for become unreadable. Returns and their histories stay, with ids and digests. The digests reveal nothing without the salts. `"erased": true` marks erased data in returns, orders and histories. `textsErasedThrough` marks it in exports.\n\nIf the shop names a customer for the order, `orderId` erases only the data of that order. Other data of the customer stays.\n\nThe job continues until it finds no more data. You may repeat the operation. Data that a shop sends later about the person is stored again.',
  body: NewErasure,
  answers: ErasureJob,
  example: { body: { platform: ref.platform, customerId: '7' }, output: erasing },
});

export const createBulk = creating({
  path: '/bulk-commands',
  scope: 'returns:write',
  summary: 'Run one command on many returns',
  description:
    'A client may have five open bulk jobs: the next one fails with 429.\n\nThe operation validates the body of the command, starts a job and responds at once. `getBulk` has the results. The commands run as the caller of this operation, with the scopes of its token. A command without effect does not stop the others, and each return is changed at most once.\n\nWith `dryRun` in the body, the job evaluates each command by itself and changes nothing. The query parameter `dryRun` checks only this request, and starts no job.',
  body: NewBulk,
  answers: BulkJob,
  example: {
    body: { command: 'approve' as const, items: [{ returnId, version: 1 }] },
    output: beginning,
  },
});

export const getBulk = reading({
  path: '/bulk-commands/{jobId}',
  scope: 'returns:read',
  summary: 'Read a bulk job with its results',
  description:
    'The caller created the job, as the same client and person. `getJob` reads the jobs of others. Each return has its result as soon as a worker has saved it. Jobs are stored for 90 days.',
  params: JobPath,
  answers: BulkJob,
  errors: ['job_not_found'],
  example: { output: bulk },
});

export const cancelBulk = command({
  path: '/bulk-commands/{jobId}/cancel',
  summary: 'Cancel a bulk job',
  description:
    'The caller created the job, as the same client and person. `cancelJob` cancels the jobs of others. The workers stop after their current return. Commands that have run stay, and `getBulk` has their results.\n\nA job that is done or failed fails with `invalid_transition`. A job that is already cancelled does not change.',
  params: JobPath,
  answers: BulkJob,
  ifMatch: 'ignored',
  errors: ['job_not_found', 'invalid_transition'],
  example: { output: { ...beginning, status: 'cancelled' as const } },
});

export const listJobs = reading({
  path: '/jobs',
  scope: 'returns:admin',
  summary: 'List jobs, the newest first',
  description:
    'The response has no progress, reports or files: `getJob` has them. Several filters apply together. The list is eventually consistent. A page may be short or empty and still have a next page. Jobs are stored for 90 days.',
  query: JobQuery,
  answers: JobList,
  errors: ['invalid_cursor'],
  example: { output: { items: [erased, exported], nextCursor: null } },
});

export const getJob = reading({
  path: '/jobs/{jobId}',
  scope: 'returns:admin',
  summary: 'Read a job with its results',
  description:
    'A job that runs has its report so far.\n\n- A backtest has the examples with the smallest decision ids of each direction.\n- An export that is done has its files. Each URL is valid for five minutes.\n\nJobs are stored for 90 days.',
  params: JobPath,
  answers: Job,
  errors: ['job_not_found'],
  example: { output: job },
});

export const cancelJob = adminCommand({
  path: '/jobs/{jobId}/cancel',
  summary: 'Cancel a job',
  description:
    'The workers stop after their current step. The results so far stay. Deleted data is not restored.\n\nA job that is done or failed fails with `invalid_transition`. A job that is already cancelled does not change.',
  params: JobPath,
  answers: Job,
  ifMatch: 'ignored',
  errors: ['job_not_found', 'invalid_transition'],
  example: { output: { ...queued, status: 'cancelled' as const } },
});
