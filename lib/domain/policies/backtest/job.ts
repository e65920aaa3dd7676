import type { Instant } from '../../returns/model/order.ts';
import { emptyReport, mergeReports, type BacktestReport } from './report.ts';

/** The source of a backtest: re-evaluated stored decisions, or stored shadow evaluations. */
export type BacktestSource = 'decisions' | 'shadow';

/**
 * The input of a backtest: the draft as it was at the request, and the range of decisions.
 * The range excludes its end.
 */
export type BacktestRequest = {
  readonly policyId: string;
  readonly version: number;
  readonly revision: number;
  readonly from: Instant;
  readonly until: Instant;
  /** The maximum number of decisions to compare, the newest first. */
  readonly limit: number;
  readonly source: BacktestSource;
};

/**
 * The progress of a partition. The next decisions are those of that day after that id, or the whole day. Then follows
 * the day before.
 */
export type BacktestCursor = { readonly day: string; readonly after?: string };

/** One partition of a job, processed by one worker at a time: the decisions of one partition. */
export type BacktestPartition = {
  readonly shard: number;
  readonly limit: number;
  readonly examined: number;
  readonly done: boolean;
  readonly cursor?: BacktestCursor;
  readonly report: BacktestReport;
};

/** Makes the partitions of a new job, which share its limit. */
export const newBacktestPartitions = (limit: number, partitions: number): readonly BacktestPartition[] =>
  Array.from({ length: partitions }, (_, shard) => {
    const share = Math.floor(limit / partitions) + (shard < limit % partitions ? 1 : 0);
    return { shard, limit: share, examined: 0, done: share === 0, report: emptyReport };
  });

/** Merges what all partitions have found so far. */
export const mergePartitionReports = (parts: readonly BacktestPartition[]): BacktestReport =>
  parts.map(({ report }) => report).reduce(mergeReports, emptyReport);
