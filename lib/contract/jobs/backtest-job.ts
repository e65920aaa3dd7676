import Type from 'typebox';
import { about, closed, Currency, id, Instant, oneOf, OrderRef, text } from '../scalars.ts';
import { jobHead, Total } from './job-head.ts';

const { Optional: optional, Array: list } = Type;

const Verdict = oneOf('approved', 'rejected', 'needs_review');
const LineVerdict = oneOf('eligible', 'needs_review', 'ineligible');
const Source = oneOf('decisions', 'shadow');
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });

export const Backtest = closed(
  {
    from: optional(
      about(
        Instant,
        'The start of the period, included. At most 3,660 days before `until`. If absent, 365 days before `until`.',
      ),
    ),
    until: optional(about(Instant, 'The end of the period, excluded. If absent or in the future, now.')),
    limit: optional(about(Limit, 'The maximum number of decisions to read. If absent, 100,000.')),
    source: optional(
      about(
        Source,
        '`decisions`: the job evaluates the draft. `shadow`: the job uses the recorded results of the shadowed draft. If absent, `decisions`.',
      ),
    ),
  },
  { $id: 'Backtest', description: 'The past decisions to compare a draft with, the newest first.' },
);

const Moved = closed(
  {
    currency: about(Currency, 'The currency of the amounts (ISO 4217).'),
    up: about(Total, 'The sum of all increases, in minor units.'),
    down: about(Total, 'The sum of all decreases, in minor units.'),
  },
  { $id: 'Moved', description: 'Changes of money in one currency. Increases and decreases are separate sums.' },
);

const changed = {
  better: about(Total, 'The number of lines whose verdict becomes better for the customer.'),
  worse: about(Total, 'The number of lines whose verdict becomes worse for the customer.'),
  worth: about(
    list(Moved),
    'The value of the goods that become eligible (`up`) and of those that no longer are (`down`), before fees.',
  ),
};

const ChangedLines = closed(
  { name: about(text(200), 'The code of the reason, or the category.'), ...changed },
  { $id: 'ChangedLines', description: 'The lines of one reason or category whose verdict changes.' },
);

const ChangedBy = closed(
  {
    items: about(list(ChangedLines), 'The first 200 names, sorted by name.'),
    rest: optional(about(closed(changed), 'All other names together. Absent where `items` has all names.')),
  },
  { $id: 'ChangedBy', description: 'The lines whose verdict changes, by reason or by category.' },
);

const Result = closed({
  verdict: about(Verdict, 'The verdict on the whole request.'),
  codes: about(list(text(100)), 'The first reason of each line that is not eligible, each code once.'),
  refund: about(Total, 'The estimated refund for the goods, less fees, in minor units of `currency`.'),
});

const BacktestExample = closed(
  {
    decisionId: about(id('dec'), 'The id of the decision.'),
    returnId: about(id('ret'), 'The id of the return.'),
    order: about(closed(OrderRef), 'The order of the return.'),
    currency: about(Currency, 'The currency of the order (ISO 4217).'),
    before: about(Result, 'The result of the version that decided.'),
    after: about(Result, 'The result of the draft.'),
  },
  { $id: 'BacktestExample', description: 'A decision that the draft changes.' },
);

const VerdictChange = closed({
  from: about(Verdict, 'The verdict of the version that decided.'),
  to: about(Verdict, 'The verdict of the draft.'),
  count: about(Total, 'The number of decisions.'),
});

const LineVerdictChange = closed({
  from: about(LineVerdict, 'The verdict of the version that decided.'),
  to: about(LineVerdict, 'The verdict of the draft.'),
  count: about(Total, 'The number of lines.'),
});

const BacktestFailure = closed({
  code: about(
    oneOf('version_missing', 'not_reproduced', 'not_evaluated'),
    '`version_missing`: the version that decided does not exist. `not_reproduced`: its result is different now. `not_evaluated`: the evaluation failed.',
  ),
  count: about(Total, 'The number of decisions.'),
  decisionIds: about(list(id('dec')), 'The ten smallest ids of these decisions.'),
});

const BacktestReport = closed(
  {
    compared: about(Total, 'The number of decisions that were compared with the draft.'),
    unchanged: about(Total, 'The number of compared decisions for which no verdict and no refund changes.'),
    others: about(
      Total,
      'The number of decisions that the draft would not make. With the source `shadow`, those without a result of the draft.',
    ),
    verdicts: about(list(VerdictChange), 'The compared decisions by their verdict before and after.'),
    lines: about(list(LineVerdictChange), 'The lines of the compared decisions by their verdict before and after.'),
    money: about(list(Moved), 'The changes of the estimated refunds, by currency.'),
    byReason: about(ChangedBy, 'The lines whose verdict changes, by the code of their reason.'),
    byCategory: about(
      ChangedBy,
      'The lines whose verdict changes, by category. A line with several categories counts in each.',
    ),
    examples: about(list(BacktestExample), 'Up to ten decisions for each pair of verdicts before and after.'),
    failures: about(list(BacktestFailure), 'The decisions that could not be compared, by cause.'),
  },
  { $id: 'BacktestReport', description: 'The effect of a draft on past decisions.' },
);

/** The fields that a backtest has in a list and by itself. */
export const backtestHead = {
  ...jobHead,
  kind: about(oneOf('backtest'), 'The kind of the job.'),
  request: about(
    closed({
      policyId: about(id('pol'), 'The id of the policy of the draft.'),
      version: about(Type.Integer({ minimum: 1 }), 'The number of the draft.'),
      revision: about(Type.Integer({ minimum: 1 }), 'The revision of the draft that is compared.'),
      from: about(
        Instant,
        'The start of the period, included. The service moves it to the start of the first policy where that is later.',
      ),
      until: about(Instant, 'The end of the period, excluded.'),
      limit: about(Limit, 'The maximum number of decisions to read.'),
      source: about(Source, '`decisions`: the job evaluates the draft. `shadow`: the job uses recorded results.'),
    }),
    'The request of the backtest, with the default values.',
  ),
};

export const BacktestJob = closed(
  {
    ...backtestHead,
    progress: about(
      closed({
        examined: about(Total, 'The number of decisions that were read so far.'),
        limit: about(Limit, 'The maximum number of decisions to read.'),
      }),
      'The progress of the job.',
    ),
    report: about(BacktestReport, 'The results so far. Complete when the status is `done`.'),
  },
  { $id: 'BacktestJob', description: 'A job that compares a draft of a policy with past decisions.' },
);
