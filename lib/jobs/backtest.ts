import type { BacktestPart } from '../policies/backtest/job.ts';
import { emptyReport, merge, withOutcome, type Report } from '../policies/backtest/report.ts';
import type { KeptDecision } from '../policies/decision/kept-decision.ts';
import { readJobDraft } from '../store/jobs/jobs.ts';
import { comparer } from './compare.ts';
import { walk } from './walk.ts';
import type { Work } from './work.ts';

/** So many decisions are read at a time, and written down once they are as many: what a worker that dies did in vain. */
const pageSize = 200;

const reportOn = async (decisions: readonly KeptDecision[], compare: ReturnType<typeof comparer>): Promise<Report> => {
  let report = emptyReport;
  for (const decision of decisions) report = withOutcome(report, await compare(decision));
  return report;
};

/** A part after one more page. */
const after = (part: BacktestPart, examined: number, report: Report, cursor: BacktestPart['cursor']): BacktestPart => {
  const { cursor: _, ...rest } = part;
  const all = part.examined + examined;
  return {
    ...rest,
    examined: all,
    report: merge(part.report, report),
    done: cursor === undefined || all >= part.limit,
    ...(cursor === undefined ? {} : { cursor }),
  };
};

/** Compares the decisions of one shard with the draft of a job. */
export const backtest: Work<'backtest'> = async (session, { job, part, stopAt, isOpen, save }) => {
  const document = await readJobDraft(session, job.id);
  if (document === undefined) throw new Error(`${job.id} has no draft`);
  const compare = comparer(session, job, document);
  const { from, until } = job.request;
  const period = { from: Date.parse(from), until: Date.parse(until) };
  let [present, unwritten] = [part, 0];
  for await (const { decisions, next } of walk(session, part.shard, period, part.cursor, pageSize)) {
    const left = decisions.slice(0, present.limit - present.examined);
    present = after(present, left.length, await reportOn(left, compare), next);
    unwritten += left.length;
    const stops = present.done || Date.now() >= stopAt;
    // Pages of quiet days are written together.
    if (!stops && decisions.length > 0 && unwritten < pageSize) continue;
    if (unwritten === 0 && !stops) {
      if (await isOpen()) continue;
      return 'over';
    }
    if (!(await save(present))) return 'over';
    unwritten = 0;
    if (stops) return present.done ? 'done' : 'unfinished';
  }
  // A period without a day.
  return (await save({ ...present, done: true })) ? 'done' : 'over';
};
