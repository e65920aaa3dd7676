import type { Cursor } from '../policies/backtest/job.ts';
import type { KeptDecision } from '../policies/decision/kept-decision.ts';
import { readDecisions, type Period } from '../store/policies/decisions.ts';
import type { Session } from '../store/engine/session.ts';

const millisecondsOfDay = 86_400_000;
/** As many days are asked for at once where there was nothing the last time: a shop may be younger than the period. */
const mostDays = 32;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days of a period, the newest first, from the one of the cursor on. */
const daysOf = ({ from, until }: Period, start: string | undefined): string[] => {
  const last = dayOf(from);
  const days: string[] = [];
  for (let time = start === undefined ? until - 1 : Date.parse(start); dayOf(time) >= last; time -= millisecondsOfDay)
    days.push(dayOf(time));
  return days;
};

/** Decisions, and where to go on after them: nowhere, when these were the last. */
export type Page = { readonly decisions: readonly KeptDecision[]; readonly next: Cursor | undefined };

/**
 * The decisions of one shard over a period, the newest first, a page at a time. Days without any are skipped, many at
 * once after the first.
 */
export async function* walk(
  session: Session,
  shard: number,
  period: Period,
  cursor: Cursor | undefined,
  pageSize: number,
): AsyncGenerator<Page> {
  const days = daysOf(period, cursor?.day);
  const dayAt = (index: number): Cursor | undefined => {
    const day = days[index];
    return day === undefined ? undefined : { day };
  };
  let after = cursor?.after;
  let width = 1;
  for (let index = 0; index < days.length;) {
    const asked = days
      .slice(index, index + width)
      .map(async (day, place) =>
        readDecisions(session, { day, shard, after: place === 0 ? after : undefined }, period, pageSize),
      );
    const pages = await Promise.all(asked);
    const first = pages.findIndex(({ decisions }) => decisions.length > 0);
    const found = pages[first];
    if (found === undefined) {
      index += pages.length;
      after = undefined;
      width = Math.min(mostDays, width * 2);
      yield { decisions: [], next: dayAt(index) };
      continue;
    }
    index += first;
    width = 1;
    after = found.after;
    const day = days[index] ?? '';
    if (after === undefined) index += 1;
    yield { decisions: found.decisions, next: after === undefined ? dayAt(index) : { day, after } };
  }
}
