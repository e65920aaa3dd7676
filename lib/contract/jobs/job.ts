import Type from 'typebox';
import { Status } from '../returns/return.ts';
import {
  Actor,
  closed,
  Currency,
  id,
  Instant,
  oneOf,
  OrderRef,
  orNull,
  PageQuery,
  PathId,
  Platform,
  PlatformId,
  SignedUrl,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Total = Type.Integer({ minimum: 0 });
const Verdict = oneOf('approved', 'rejected', 'needs_review');
const LineVerdict = oneOf('eligible', 'needs_review', 'ineligible');
const Source = oneOf('decisions', 'shadow');
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });

export const JobPath = closed({ jobId: id('job') });

/**
 * Which decisions a draft is compared with: those made from one time until before another, the newest first. Without: of the
 * last 365 days, 100,000. `source` `shadow` compares with what a draft that was shadowed would have decided at the time.
 */
export const Backtest = closed(
  { from: optional(Instant), until: optional(Instant), limit: optional(Limit), source: optional(Source) },
  { $id: 'Backtest' },
);

/** Money of one currency: what is more, and what is less; neither is taken off the other. */
const Moved = closed({ currency: Currency, up: Total, down: Total }, { $id: 'Moved' });

const changed = { better: Total, worse: Total, worth: list(Moved) };

/** Lines of one kind whose verdict changes for the customer, and what goods may come back now, or may no more. */
const ChangedLines = closed({ name: text(200), ...changed }, { $id: 'ChangedLines' });

const ChangedBy = closed({ items: list(ChangedLines), rest: optional(closed(changed)) }, { $id: 'ChangedBy' });

const said = closed({ verdict: Verdict, codes: list(text(100)), refund: Total });

/** One of the decisions that change, as it was made and as it would be. Refunds are in minor units of the currency. */
const BacktestExample = closed(
  {
    decisionId: id('dec'),
    returnId: id('ret'),
    order: closed(OrderRef),
    currency: Currency,
    before: said,
    after: said,
  },
  { $id: 'BacktestExample' },
);

/**
 * What a draft does to decisions that were made. `compared` were its to decide, `others` not; of `unchanged` ones no verdict
 * and no refund changes. `money` is what would be paid more and less; `byReason` and `byCategory` count lines, the first 200
 * names each and all others as `rest`. Of each direction up to ten examples. `failures` could not be compared.
 */
const BacktestReport = closed(
  {
    compared: Total,
    unchanged: Total,
    others: Total,
    verdicts: list(closed({ from: Verdict, to: Verdict, count: Total })),
    lines: list(closed({ from: LineVerdict, to: LineVerdict, count: Total })),
    money: list(Moved),
    byReason: ChangedBy,
    byCategory: ChangedBy,
    examples: list(BacktestExample),
    failures: list(
      closed({
        code: oneOf('version_missing', 'not_reproduced', 'not_evaluated'),
        count: Total,
        decisionIds: list(id('dec')),
      }),
    ),
  },
  { $id: 'BacktestReport' },
);

const JobStatus = oneOf('queued', 'running', 'done', 'cancelled', 'failed');

/** What every job has. `failure` says why it was given up; `too_large` is one that cannot be done as it was asked for. */
const head = {
  jobId: id('job'),
  status: JobStatus,
  failure: optional(
    closed({ code: oneOf('dependency_unavailable', 'internal_error', 'timeout', 'too_large'), part: Total }),
  ),
  createdAt: Instant,
  createdBy: Actor,
  updatedAt: Instant,
};

/** What a list and the job itself tell of a backtest. */
const backtestHead = {
  ...head,
  kind: oneOf('backtest'),
  request: closed({
    policyId: id('pol'),
    version: Type.Integer({ minimum: 1 }),
    revision: Type.Integer({ minimum: 1 }),
    from: Instant,
    until: Instant,
    limit: Limit,
    source: Source,
  }),
};

/** A draft is compared. `report` is what was found so far, and all of it once the job is `done`. */
export const BacktestJob = closed(
  {
    ...backtestHead,
    progress: closed({ examined: Total, limit: Limit }),
    report: BacktestReport,
  },
  { $id: 'BacktestJob' },
);

/** `history` has each return's history with its inclusion proof in the last daily root, for `npm run verify`. */
const Format = oneOf('csv', 'ndjson', 'history');

/** Which returns are exported: created from one time until before another, and in which status. Without: all there are. */
export const NewExport = closed(
  { format: Format, from: optional(Instant), until: optional(Instant), status: optional(Status) },
  { $id: 'NewExport' },
);

/** A file of an export. Its address serves it for five minutes; reading the job again gives another one. */
const ExportFile = closed(
  { name: text(100), rows: Total, bytes: Total, url: SignedUrl, expiresAt: Instant },
  { $id: 'ExportFile' },
);

const exportHead = {
  ...head,
  kind: oneOf('export'),
  request: closed({ format: Format, from: optional(Instant), until: Instant, status: optional(Status) }),
};

/**
 * Returns are written into files. `files` are there once the job is `done`; they are kept for seven days.
 * `rows` are returns, or in CSV lines of returns.
 */
export const ExportJob = closed(
  {
    ...exportHead,
    progress: closed({ examined: Total, rows: Total }),
    files: optional(list(ExportFile)),
  },
  { $id: 'ExportJob' },
);

/**
 * Whose data is erased: a customer of a shop; or, by `orderId`, whoever placed an order of which the shop names no
 * customer. With `countOnly` nothing is deleted.
 */
export const NewErasure = closed(
  {
    platform: Platform,
    customerId: optional(PlatformId),
    orderId: optional(PathId),
    countOnly: optional(Type.Boolean()),
  },
  { $id: 'NewErasure' },
);

const erasureHead = {
  ...head,
  kind: oneOf('erasure'),
  request: closed({
    platform: Platform,
    customerId: optional(PlatformId),
    orderId: optional(PathId),
    countOnly: Type.Boolean(),
  }),
};

/**
 * What is kept of a person is deleted. `erased` counts it so far: who they are, what was written about them, files of
 * evidence, and what the shop delivered. `kept` are returns of theirs that were met, which stay without it.
 */
export const ErasureJob = closed(
  {
    ...erasureHead,
    progress: closed({ passes: Total }),
    report: closed({
      erased: closed({ persons: Total, texts: Total, files: Total, deliveries: Total }),
      kept: closed({ returns: Total }),
    }),
  },
  { $id: 'ErasureJob' },
);

/** A long piece of work, by `kind`. Jobs are kept for 90 days. */
export const Job = Type.Union([BacktestJob, ExportJob, ErasureJob], { $id: 'Job' });

/** A job in a list, by `kind`: without its progress, its report and its files. */
const JobSummary = Type.Union(
  [
    closed(backtestHead, { $id: 'BacktestJobSummary' }),
    closed(exportHead, { $id: 'ExportJobSummary' }),
    closed(erasureHead, { $id: 'ErasureJobSummary' }),
  ],
  { $id: 'JobSummary' },
);

/** A page of jobs, eventually consistent; it may be short, or empty, and still have a next one. */
export const JobList = closed({ items: list(JobSummary), nextCursor: orNull(Type.String()) }, { $id: 'JobList' });

/** Filters narrow together. */
export const JobQuery = closed({
  status: optional(JobStatus),
  kind: optional(oneOf('backtest', 'export', 'erasure')),
  ...PageQuery.properties,
});
