import type { Instant } from '../../returns/model/order.ts';
import { emptyReport, mergeReports, type BacktestReport } from './report.ts';

/** What a draft is compared with: decisions that it is evaluated on now, or those that it was evaluated beside. */
export type BacktestSource = 'decisions' | 'shadow';

/** Which draft is compared, as of when it was asked for, and with which decisions: from one instant until before another. */
export type BacktestRequest = {
  readonly policyId: string;
  readonly version: number;
  readonly revision: number;
  readonly from: Instant;
  readonly until: Instant;
  /** The most decisions that are looked at, the newest first. */
  readonly limit: number;
  readonly source: BacktestSource;
};

/** How far a part has come: decisions of that day after the one of that id are next, or all of it; then the day before. */
export type BacktestCursor = { readonly day: string; readonly after?: string };

/** What one worker does of a job at a time, by itself: the decisions of one shard. */
export type BacktestPartition = {
  readonly shard: number;
  readonly limit: number;
  readonly examined: number;
  readonly done: boolean;
  readonly cursor?: BacktestCursor;
  readonly report: BacktestReport;
};

/** The parts of a new job, which share its limit. */
export const newBacktestPartitions = (limit: number, shards: number): readonly BacktestPartition[] =>
  Array.from({ length: shards }, (_, shard) => {
    const share = Math.floor(limit / shards) + (shard < limit % shards ? 1 : 0);
    return { shard, limit: share, examined: 0, done: share === 0, report: emptyReport };
  });

/** What all parts have found so far. */
export const mergePartitionReports = (parts: readonly BacktestPartition[]): BacktestReport =>
  parts.map(({ report }) => report).reduce(mergeReports, emptyReport);
