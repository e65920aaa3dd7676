import type { Output } from '../contract/contract.ts';
import type { Groups, Moved } from '../policies/backtest/moved.ts';
import type { Report } from '../policies/backtest/report.ts';

type View = Output<'backtestDraft'>['report'];

const moved = (money: readonly Moved[]): View['money'] =>
  money.map(({ name, up, down }) => ({ currency: name, up, down }));

const groups = ({ named, rest }: Groups): View['byReason'] => ({
  items: named.map((group) => ({ ...group, worth: moved(group.worth) })),
  ...(rest === undefined ? {} : { rest: { ...rest, worth: moved(rest.worth) } }),
});

/** What a backtest has found, as the contract tells it. */
export const reportView = (report: Report): View => {
  const { compared, unchanged, others, verdicts, lines, money, byReason, byCategory, examples, failures } = report;
  return {
    compared,
    unchanged,
    others,
    verdicts: verdicts.map(({ from, to, count }) => ({ from, to, count })),
    lines: lines.map(({ from, to, count }) => ({ from, to, count })),
    money: moved(money),
    byReason: groups(byReason),
    byCategory: groups(byCategory),
    examples: examples.flatMap((direction) =>
      direction.examples.map(({ before, after, ...example }) => ({
        ...example,
        before: { ...before, codes: [...before.codes] },
        after: { ...after, codes: [...after.codes] },
      })),
    ),
    failures: failures.map(({ name, count, decisionIds }) => ({ code: name, count, decisionIds: [...decisionIds] })),
  };
};
