import Type from 'typebox';
import { Actor } from './actor.ts';
import { closed, Currency, id, Instant, oneOf, OrderRef, text } from './scalars.ts';

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

/**
 * A long piece of work. `report` is what was found so far, and all of it once the job is `done`; `failure` says why it was
 * given up. Jobs are kept for 90 days.
 */
export const Job = closed(
  {
    id: id('job'),
    kind: oneOf('backtest'),
    status: oneOf('queued', 'running', 'done', 'cancelled', 'failed'),
    request: closed({
      policyId: id('pol'),
      version: Type.Integer({ minimum: 1 }),
      revision: Type.Integer({ minimum: 1 }),
      from: Instant,
      until: Instant,
      limit: Limit,
      source: Source,
    }),
    progress: closed({ examined: Total, limit: Limit }),
    report: BacktestReport,
    failure: optional(closed({ code: oneOf('dependency_unavailable', 'internal_error', 'timeout'), part: Total })),
    createdAt: Instant,
    createdBy: Actor,
    updatedAt: Instant,
  },
  { $id: 'Job' },
);
