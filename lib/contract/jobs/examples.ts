import { at, ref, returnId } from '../example-story.ts';
import type Type from 'typebox';
import type { BacktestJob } from './backtest-job.ts';
import type { BulkJob } from './bulk-job.ts';
import type { ErasureJob } from './export-and-erasure-jobs.ts';
import type { ExportJob } from './export-and-erasure-jobs.ts';

export const job: Type.Static<typeof BacktestJob> = {
  jobId: 'job_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  kind: 'backtest',
  status: 'done',
  request: {
    policyId: 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0',
    version: 2,
    revision: 1,
    from: '2025-11-21T08:00:00.000Z',
    until: at.decided,
    limit: 100_000,
    source: 'decisions',
  },
  progress: { examined: 2, limit: 100_000 },
  report: {
    compared: 2,
    unchanged: 1,
    others: 0,
    verdicts: [
      { from: 'needs_review', to: 'needs_review', count: 1 },
      { from: 'rejected', to: 'needs_review', count: 1 },
    ],
    lines: [
      { from: 'eligible', to: 'eligible', count: 1 },
      { from: 'ineligible', to: 'eligible', count: 1 },
    ],
    money: [{ currency: 'EUR', up: 1999, down: 0 }],
    byReason: {
      items: [{ name: 'fit.too_small', better: 1, worse: 0, worth: [{ currency: 'EUR', up: 1999, down: 0 }] }],
    },
    byCategory: { items: [] },
    examples: [
      {
        decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
        returnId,
        order: ref,
        currency: 'EUR',
        before: { verdict: 'rejected', codes: ['window_expired'], refund: 0 },
        after: { verdict: 'needs_review', codes: [], refund: 1999 },
      },
    ],
    failures: [],
  },
  createdAt: at.decided,
  createdBy: { clientId: 'shop-office' },
  updatedAt: at.decided,
};

const { report } = job;
export const queued: Type.Static<typeof BacktestJob> = {
  ...job,
  status: 'queued',
  progress: { ...job.progress, examined: 0 },
  report: {
    ...report,
    compared: 0,
    unchanged: 0,
    verdicts: [],
    lines: [],
    money: [],
    byReason: { items: [] },
    examples: [],
  },
};

const head = { createdAt: at.decided, createdBy: { clientId: 'shop-office' }, updatedAt: at.decided };

export const from = '2025-11-21T08:00:00.000Z';

export const exporting: Type.Static<typeof ExportJob> = {
  jobId: 'job_01KAJ4C2Z8QW4T6R2M5N7P0XYB',
  kind: 'export',
  status: 'queued',
  request: { format: 'csv', from, until: at.decided },
  progress: { examined: 0, rows: 0 },
  ...head,
};

export const erasing: Type.Static<typeof ErasureJob> = {
  jobId: 'job_01KAJ4D2Z8QW4T6R2M5N7P0XYB',
  kind: 'erasure',
  status: 'queued',
  request: { platform: ref.platform, customerId: '7', countOnly: false },
  progress: { passes: 0 },
  report: { erased: { persons: 0, texts: 0, files: 0, deliveries: 0 }, kept: { returns: 0 } },
  ...head,
};

export const bulk: Type.Static<typeof BulkJob> = {
  jobId: 'job_01KAJ4E2Z8QW4T6R2M5N7P0XYB',
  kind: 'bulk',
  status: 'done',
  request: { command: 'approve', items: 1, dryRun: false },
  progress: { succeeded: 1, refused: 0, failed: 0 },
  results: [{ returnId, outcome: 'succeeded', version: 2, status: 'approved' }],
  ...head,
};

export const beginning: Type.Static<typeof BulkJob> = {
  ...bulk,
  status: 'queued',
  progress: { succeeded: 0, refused: 0, failed: 0 },
  results: [],
};

const { progress: _, report: __, ...erasingHead } = erasing;
const { progress: ___, ...exportingHead } = exporting;

const done = { status: 'done' as const };
export const erased = { ...erasingHead, ...done };
export const exported = { ...exportingHead, ...done };
