import { at, ref, returnId } from './example-story.ts';
import type { Output } from './schemas.ts';

const job: Output<'getJob'> = {
  id: 'job_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
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
      { from: 'approved', to: 'approved', count: 1 },
      { from: 'rejected', to: 'approved', count: 1 },
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
        after: { verdict: 'approved', codes: [], refund: 1999 },
      },
    ],
    failures: [],
  },
  createdAt: at.decided,
  createdBy: { clientId: 'shop-office' },
  updatedAt: at.decided,
};

const { report } = job;
const queued: Output<'getJob'> = {
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

/** What would have become of the last year's returns if sixty days had been allowed. */
export const jobExamples = {
  backtestDraft: { body: { from: job.request.from }, output: queued },
  getJob: { body: {}, output: job },
  cancelJob: { body: {}, output: { ...queued, status: 'cancelled' as const } },
};
