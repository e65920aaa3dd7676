import type { BacktestPartition, BacktestRequest } from '../../policies/backtest/job.ts';
import type { Actor } from '../../returns/model/actor.ts';
import type { Instant, OrderRef } from '../../returns/model/order.ts';
import type { Status } from '../../returns/model/status.ts';

/*
 * Long pieces of work. What all of them have in common is one row; what of them is done stands in their parts until all of
 * it is, and what a part tells is a matter of the job's kind.
 */

/** Why a job was given up, and in which of its parts. */
export type JobFailure = {
  readonly code: 'dependency_unavailable' | 'internal_error' | 'timeout' | 'too_large';
  readonly part: number;
};

/** What every job has. */
export type JobHead = {
  readonly id: string;
  readonly status: 'open' | 'done' | 'cancelled' | 'failed';
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly updatedAt: Instant;
  readonly failure?: JobFailure;
};

/** What every part has: one worker at a time does it, by itself. */
type PartitionHead = { readonly shard: number; readonly done: boolean };

export type BacktestJob = JobHead & { readonly kind: 'backtest'; readonly request: BacktestRequest };

export type ExportFormat = 'csv' | 'ndjson' | 'history';

/** Which returns are exported: those created from one instant until before another, and of one status as they are read. */
export type ExportRequest = {
  readonly format: ExportFormat;
  readonly from?: Instant;
  readonly until: Instant;
  readonly status?: Status;
};

export type ExportJob = JobHead & {
  readonly kind: 'export';
  readonly request: ExportRequest;
  /** Written with the end of the job: they replace small files of the parts. */
  readonly merged?: readonly MergedFile[];
};

/** A file of an export. Its digest is a part of its key (lib/store/jobs/exports.ts). */
export type ExportedFile = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly digest: string;
};

/** A file that holds what the parts wrote into several, by the names of those. */
export type MergedFile = { readonly file: ExportedFile; readonly of: readonly string[] };

/** What stands in one shard of the index byCreation. */
export type ExportPartition = PartitionHead & {
  /** Returns that were looked at. */
  readonly examined: number;
  readonly files: readonly ExportedFile[];
  /** The last one that is in the files: those before it are next. */
  readonly before?: string;
};

/** The files of an export that is done. */
export const filesOf = ({ merged = [] }: ExportJob, parts: readonly ExportPartition[]): readonly ExportedFile[] => {
  const replaced = new Set(merged.flatMap(({ of }) => of));
  const rest = parts.flatMap(({ files }) => files).filter(({ name }) => !replaced.has(name));
  return [...rest, ...merged.map(({ file }) => file)];
};

/** Whose data is erased: a customer of a shop, or whoever placed an order of which the shop names no customer. */
export type ErasureSubject = { readonly platform: string; readonly customerId: string } | OrderRef;

export type ErasureRequest = ErasureSubject & {
  /** Nothing is deleted: only counted. */
  readonly countOnly: boolean;
};

export type ErasureJob = JobHead & { readonly kind: 'erasure'; readonly request: ErasureRequest };

/** How many of each were deleted, or would be. */
export type ErasureCounts = {
  readonly persons: number;
  readonly texts: number;
  readonly files: number;
  readonly deliveries: number;
};

/** All of an erasure is one part: what is left of a person is what is still to be done. */
export type ErasurePartition = PartitionHead & {
  /** All is looked through again until nothing is found. */
  readonly pass: number;
  /** What this pass has found so far. */
  readonly found: number;
  /** Absent before the person's own rows are looked through; then which of the returns are next. */
  readonly at?: { readonly before?: string };
  /** What is next to be deleted is among `erased` already. */
  readonly counted?: true;
  readonly erased: ErasureCounts;
  /** Returns that were met, which stay. */
  readonly returns: number;
};

export type Job = BacktestJob | ExportJob | ErasureJob;
export type JobPartition = BacktestPartition | ExportPartition | ErasurePartition;

/** What the parts of a kind are. */
export type JobPartitionOf<Kind extends Job['kind']> = {
  backtest: BacktestPartition;
  export: ExportPartition;
  erasure: ErasurePartition;
}[Kind];
