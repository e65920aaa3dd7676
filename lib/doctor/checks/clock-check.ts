import type { Attempt } from './attempt.ts';
import { passed, skipped, warning, type Check } from '../check.ts';

const most = 30;

/** How far this clock is from an endpoint's, by its Date header (RFC 9110, 6.6.1), which counts whole seconds. */
export const checkClock = (name: string, { answer, endedAt }: Attempt): readonly Check[] => {
  if (answer === undefined) return skipped([name], 'there is no answer');
  const there = Date.parse(answer.headers['date'] ?? '');
  if (Number.isNaN(there)) return skipped([name], 'the answer has no date');
  const seconds = Math.round((there - endedAt) / 1000);
  if (Math.abs(seconds) <= most) return [passed(name, `within ${most} s of this one`)];
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return [
    warning(name, `${Math.abs(seconds)} s ${side} this one`, 'Set the one that is wrong: tokens begin and end by it.'),
  ];
};
