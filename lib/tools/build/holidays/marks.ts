import { marksOfDate } from '../../../domain/policies/time/holidays.ts';
import { dateAfter, years } from './holiday-days.ts';

/** All dates of the table that a mark means. */
const datesByMark: ReadonlyMap<string, readonly string[]> = (() => {
  const dates = new Map<string, string[]>();
  const end = `${(years.at(-1) ?? 0) + 1}-01-01`;
  for (let date = `${years[0]}-01-01`; date < end; date = dateAfter(date, 1))
    for (const mark of marksOfDate(date)) dates.set(mark, [...(dates.get(mark) ?? []), date]);
  return dates;
})();

/** Rules of every year before single dates. A day of the month says more than the distance from Easter. */
const kinds = [/^\d{3,4}$/, /^[eo]/, /\//, /^\d{6}$/];

const kindOf = (mark: string): number => kinds.findIndex((kind) => kind.test(mark));

/** Returns the dates of a mark. */
export const datesOf = (mark: string): readonly string[] => datesByMark.get(mark) ?? [];

const isRuleOrDate = (mark: string): boolean =>
  kindOf(mark) === kinds.length - 1 || (kindOf(mark) !== -1 && datesOf(mark).length === years.length);

/**
 * Returns marks that mean these days. A mark is right when each of its dates is a day of the list, or free anyway.
 *
 * @param isFree tests for weekends, and for days that other marks mean
 */
export const marksFor = (days: ReadonlySet<string>, isFree: (date: string) => boolean): readonly string[] => {
  const left = new Set([...days].filter((date) => !isFree(date) && years.includes(Number(date.slice(0, 4)))));
  const candidates = [...new Set([...left].flatMap(marksOfDate))]
    .filter((mark) => isRuleOrDate(mark) && datesOf(mark).every((date) => days.has(date) || isFree(date)))
    .toSorted((a, b) => kindOf(a) - kindOf(b) || (a < b ? -1 : 1));
  return candidates.filter((mark) => datesOf(mark).filter((date) => left.delete(date)).length > 0);
};
