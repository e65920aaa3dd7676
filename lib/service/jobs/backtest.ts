import type { BacktestPartition, BacktestCursor } from '../../domain/policies/backtest/job.ts';
import { wouldDecide } from '../../domain/policies/backtest/line-groups.ts';
import { type BacktestOutcome, backtestOutcome, shadowOutcome } from '../../domain/policies/backtest/outcome.ts';
import { emptyReport, mergeReports, type BacktestReport, addOutcome } from '../../domain/policies/backtest/report.ts';
import type { StoredDecision } from '../../domain/policies/decision/stored-decision.ts';
import { compilePolicy, type CompiledPolicy } from '../../domain/policies/evaluate/compile.ts';
import type { PolicyDocument } from '../../domain/policies/lifecycle/golden.ts';
import type { Session } from '../../store/engine/session.ts';
import type { BacktestJob } from '../../store/jobs/job.ts';
import { readJobDraft } from '../../store/jobs/jobs.ts';
import { type Period, readDecisions } from '../../store/policies/decisions.ts';
import { readDocument } from '../../store/policies/policies.ts';
import type { PartWorker } from './work.ts';

const millisecondsOfDay = 86_400_000;
/** The maximum number of empty days that are read at once. A shop may be younger than the period. */
const maxDays = 32;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the days of a period, the newest first, from the day of the cursor on. */
const daysOf = ({ from, until }: Period, start: string | undefined): string[] => {
  const last = dayOf(from);
  const days: string[] = [];
  for (let time = start === undefined ? until - 1 : Date.parse(start); dayOf(time) >= last; time -= millisecondsOfDay)
    days.push(dayOf(time));
  return days;
};

/** A page of decisions, and the cursor of the next page. The last page has none. */
type Page = { readonly decisions: readonly StoredDecision[]; readonly next: BacktestCursor | undefined };

/**
 * Reads the decisions of one partition over a period in pages, the newest first.
 * It skips empty days: after the first one, many at once.
 */
async function* readDecisionPages(
  session: Session,
  partition: number,
  period: Period,
  cursor: BacktestCursor | undefined,
  pageSize: number,
): AsyncGenerator<Page> {
  const days = daysOf(period, cursor?.day);
  const dayAt = (index: number): BacktestCursor | undefined => {
    const day = days[index];
    return day === undefined ? undefined : { day };
  };
  let partAfterPage = cursor?.after;
  let width = 1;
  for (let index = 0; index < days.length;) {
    const reads = days
      .slice(index, index + width)
      .map(async (day, offset) =>
        readDecisions(session, { day, partition, after: offset === 0 ? partAfterPage : undefined }, period, pageSize),
      );
    const pages = await Promise.all(reads);
    const first = pages.findIndex(({ decisions }) => decisions.length > 0);
    const found = pages[first];
    if (found === undefined) {
      index += pages.length;
      partAfterPage = undefined;
      width = Math.min(maxDays, width * 2);
      yield { decisions: [], next: dayAt(index) };
      continue;
    }
    index += first;
    width = 1;
    partAfterPage = found.after;
    const day = days[index] ?? '';
    if (partAfterPage === undefined) index += 1;
    yield {
      decisions: found.decisions,
      next: partAfterPage === undefined ? dayAt(index) : { day, after: partAfterPage },
    };
  }
}

type Version = { readonly document: PolicyDocument; readonly compiled: CompiledPolicy };

const compileVersion = (document: PolicyDocument): Version => ({ document, compiled: compilePolicy(document) });

/** Reads and compiles policy versions, each once. Thousands of decisions have few versions. */
const versionsOf = (session: Session) => {
  const known = new Map<string, Promise<Version | undefined>>();
  return async ({ policyId, version }: Pick<StoredDecision, 'policyId' | 'version'>): Promise<Version | undefined> => {
    const name = `${policyId}/${version}`;
    const found =
      known.get(name) ??
      readDocument(session, policyId, version).then((document) => document && compileVersion(document));
    known.set(name, found);
    return found;
  };
};

/** Compares decisions with the draft of a job. */
const comparer = (session: Session, { request }: BacktestJob, document: PolicyDocument) => {
  const draft = compileVersion(document);
  const versionOf = versionsOf(session);
  const { policyId, version } = request;
  return async (stored: StoredDecision): Promise<BacktestOutcome> => {
    const { id, facts, shadow } = stored;
    const isShadowed = shadow?.policyId === policyId && shadow.version === version;
    if (request.source === 'shadow' && !isShadowed) return { kind: 'other' };
    const decided = await versionOf(stored);
    if (decided === undefined) return { kind: 'failed', id, code: 'version_missing' };
    if (request.source === 'shadow' && isShadowed) return shadowOutcome(stored, decided.compiled, shadow);
    const { selectors } = decided.document;
    return wouldDecide(facts, { policyId: stored.policyId, selectors }, { policyId, selectors: document.selectors })
      ? backtestOutcome(stored, decided.compiled, draft.compiled)
      : { kind: 'other' };
  };
};

/** The number of decisions in one read. Progress is saved after as many, so a worker that dies loses at most these. */
const pageSize = 200;

const compareAll = async (
  decisions: readonly StoredDecision[],
  compare: ReturnType<typeof comparer>,
): Promise<BacktestReport> => {
  let report = emptyReport;
  for (const decision of decisions) report = addOutcome(report, await compare(decision));
  return report;
};

/** Returns the partition after one more page. */
const after = (
  part: BacktestPartition,
  examined: number,
  report: BacktestReport,
  cursor: BacktestPartition['cursor'],
): BacktestPartition => {
  const { cursor: _, ...rest } = part;
  const total = part.examined + examined;
  return {
    ...rest,
    examined: total,
    report: mergeReports(part.report, report),
    done: cursor === undefined || total >= part.limit,
    ...(cursor === undefined ? {} : { cursor }),
  };
};

/** Compares the decisions of one partition with the draft of a job. */
export const backtest: PartWorker<'backtest'> = async (session, { job, part, stopAt, isOpen, save }) => {
  const document = await readJobDraft(session, job.id);
  if (document === undefined) throw new Error(`${job.id} has no draft`);
  const compare = comparer(session, job, document);
  const { from, until } = job.request;
  const period = { from: Date.parse(from), until: Date.parse(until) };
  let [present, unwritten] = [part, 0];
  for await (const { decisions, next } of readDecisionPages(session, part.shard, period, part.cursor, pageSize)) {
    const left = decisions.slice(0, present.limit - present.examined);
    present = after(present, left.length, await compareAll(left, compare), next);
    unwritten += left.length;
    const stops = present.done || Date.now() >= stopAt;
    // Pages of quiet days are saved together.
    if (!stops && decisions.length > 0 && unwritten < pageSize) continue;
    if (unwritten === 0 && !stops) {
      if (await isOpen()) continue;
      return 'over';
    }
    if (!(await save(present))) return 'over';
    unwritten = 0;
    if (stops) return present.done ? 'done' : 'unfinished';
  }
  // The period has no day.
  return (await save({ ...present, done: true })) ? 'done' : 'over';
};
