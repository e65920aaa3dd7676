import type { BacktestPartition, BacktestRequest } from '../../domain/policies/backtest/job.ts';
import type { Actor } from '../../domain/returns/model/actor.ts';
import type { Instant, OrderRef } from '../../domain/returns/model/order.ts';
import type { Status } from '../../domain/returns/model/status.ts';

/*
 * Background jobs. One row holds the common fields of all kinds of jobs. Each partition of a job stores its own
 * progress until the job ends. The kind of the job defines the fields of a partition.
 */

/** Why a job failed, and in which partition. */
export type JobFailure = {
  readonly code: 'dependency_unavailable' | 'internal_error' | 'timeout' | 'too_large';
  readonly part: number;
};

/** The fields of every job. */
export type JobHead = {
  readonly id: string;
  readonly status: 'open' | 'done' | 'cancelled' | 'failed';
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly updatedAt: Instant;
  readonly failure?: JobFailure;
};

/** The fields of every partition. One worker at a time processes it, independently of the others. */
type PartitionHead = { readonly shard: number; readonly done: boolean };

export type BacktestJob = JobHead & { readonly kind: 'backtest'; readonly request: BacktestRequest };

export type ExportFormat = 'csv' | 'ndjson' | 'history';

/** The returns to export: created in a time range, and in a status at the time of the read. */
export type ExportRequest = {
  readonly format: ExportFormat;
  readonly from?: Instant;
  readonly until: Instant;
  readonly status?: Status;
};

export type ExportJob = JobHead & {
  readonly kind: 'export';
  readonly request: ExportRequest;
  /** Written with the end of the job. The merged files replace small files of the partitions. */
  readonly merged?: readonly MergedFile[];
};

/** A file of an export. Its digest is part of its key (lib/store/jobs/exports.ts). */
export type ExportedFile = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** The SHA-256 in hex. */
  readonly digest: string;
};

/** A file that merges several files of the partitions, with the names of those. */
export type MergedFile = { readonly file: ExportedFile; readonly of: readonly string[] };

/** A partition of an export: the returns of a part of its period, or the withdrawals for their histories. */
export type ExportPartition = PartitionHead & {
  /** The lowest id of the part. */
  readonly from: string;
  /** The number of returns or withdrawals that were read. */
  readonly examined: number;
  readonly files: readonly ExportedFile[];
  /** The id below which the export continues: the end of the part, then the last one in the files. */
  readonly before: string;
};

/** Returns the files of a completed export. */
export const filesOf = ({ merged = [] }: ExportJob, parts: readonly ExportPartition[]): readonly ExportedFile[] => {
  const replaced = new Set(merged.flatMap(({ of }) => of));
  const rest = parts.flatMap(({ files }) => files).filter(({ name }) => !replaced.has(name));
  return [...rest, ...merged.map(({ file }) => file)];
};

/** The person whose data is erased: a customer, the buyer of an order without a customer, a declarant, or a user. */
export type ErasureSubject =
  | { readonly platform: string; readonly customerId: string }
  | OrderRef
  | { readonly withdrawalId: string }
  | { readonly userId: string };

export type ErasureRequest = ErasureSubject & {
  /** Only counts, and deletes nothing. */
  readonly countOnly: boolean;
};

export type ErasureJob = JobHead & { readonly kind: 'erasure'; readonly request: ErasureRequest };

/** The number of deleted items by kind; with `countOnly`, of items to delete. */
export type ErasureCounts = {
  readonly persons: number;
  readonly texts: number;
  readonly files: number;
  readonly deliveries: number;
};

/** An erasure has one partition. The data that is left of the person is the remaining work. */
export type ErasurePartition = PartitionHead & {
  /** The worker repeats passes until a pass finds nothing. */
  readonly pass: number;
  /** The number of items that this pass has found so far. */
  readonly found: number;
  /** Absent before the worker has read the person's own rows. Then it holds the position in the returns. */
  readonly at?: { readonly before?: string };
  /** `erased` already counts the next item to delete. */
  readonly counted?: true;
  readonly erased: ErasureCounts;
  /** The number of returns of the person. The returns themselves stay. */
  readonly returns: number;
};

/** A command on one of the returns of a bulk job, and the version that it requires. */
export type BulkItem = { readonly returnId: string; readonly version?: number };

/** The commands of a bulk job. A type of the contract has the same names. */
type BulkCommand =
  | 'approve'
  | 'reject'
  | 'requestInfo'
  | 'addNote'
  | 'assignReturn'
  | 'cancel'
  | 'complete'
  | 'closeReceipt'
  | 'expire';

/** One command on many returns. */
export type BulkJob = JobHead & {
  readonly kind: 'bulk';
  readonly request: { readonly command: BulkCommand; readonly items: number; readonly dryRun: boolean };
  /** The body of the command. It may hold personal texts, so it is deleted when the job ends. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The digest of the name of the user who created the job. Its commands record it. */
  readonly nameDigest?: string;
  /** The scopes of the token that created the job. Its commands have no others. */
  readonly scopes: readonly ('returns:read' | 'returns:write' | 'returns:admin' | 'returns:search')[];
  /** The trace of the request. Its commands belong to it. */
  readonly traceId: string;
};

/** The result of the command for one return. */
export type BulkResult = BulkItem & {
  readonly outcome: 'succeeded' | 'refused' | 'failed';
  readonly status?: Status;
  readonly problem?: { readonly code: string; readonly detail: string };
};

/** A partition of a bulk job: some of its returns, and the results of the first ones. */
export type BulkPartition = PartitionHead & {
  readonly items: readonly BulkItem[];
  readonly results: readonly BulkResult[];
};

export type Job = BacktestJob | ExportJob | ErasureJob | BulkJob;
export type JobPartition = BacktestPartition | ExportPartition | ErasurePartition | BulkPartition;

/** Returns a job at its end. A bulk job loses the body of its command. */
export const endJob = (job: Job, end: Pick<JobHead, 'status' | 'updatedAt' | 'failure'>): Job => {
  if (job.kind !== 'bulk') return { ...job, ...end };
  const { body: _, ...rest } = job;
  return { ...rest, ...end };
};

/** The partition type of each kind of job. */
export type JobPartitionOf<Kind extends Job['kind']> = {
  backtest: BacktestPartition;
  export: ExportPartition;
  erasure: ErasurePartition;
  bulk: BulkPartition;
}[Kind];
