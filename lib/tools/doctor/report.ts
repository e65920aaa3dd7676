import type { Report } from './check.ts';

const marks = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

const closing = {
  passed: 'All checks passed.',
  warning: 'No check failed. Review the warnings.',
  failed: 'A check failed. Fix the first failed check, then run the doctor again.',
} as const;

/** Formats a report of the doctor as text: one row per check, with its remedy below. */
export const formatReport = ({ status, traceId, checks }: Report): string => {
  const [first, second] = [
    Math.max(...Object.values(marks).map((mark) => mark.length)),
    Math.max(...checks.map(({ check }) => check.length)),
  ];
  const rows = checks.flatMap(({ check, status, detail, remedy }) => [
    `${marks[status].padEnd(first)}  ${check.padEnd(second)}  ${detail}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(first + second + 4)}→ ${remedy}`]),
  ]);
  // The standalone mode sends no request to an API.
  const calls = checks.some(({ check }) => check === 'API');
  const trace = calls ? ` The logs of the API have these requests under the trace id ${traceId}.` : '';
  return [...rows, '', `${closing[status]}${trace}`].join('\n');
};
