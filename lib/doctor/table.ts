import type { Report } from './report.ts';

const marks = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

const closing = {
  passed: 'Nothing is wrong.',
  warning: 'It works; look at the warnings.',
  failed: 'It does not work: mend what failed first.',
} as const;

/** A report for people: a row a check, with what mends it below. */
export const table = ({ status, traceId, checks }: Report): string => {
  const [first, second] = [
    Math.max(...Object.values(marks).map((mark) => mark.length)),
    Math.max(...checks.map(({ check }) => check.length)),
  ];
  const rows = checks.flatMap(({ check, status, detail, remedy }) => [
    `${marks[status].padEnd(first)}  ${check.padEnd(second)}  ${detail}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(first + second + 4)}→ ${remedy}`]),
  ]);
  // In the standalone mode no request goes to an API.
  const calls = checks.some(({ check }) => check === 'API');
  const trace = calls ? ` The API’s logs have these requests under the trace ${traceId}.` : '';
  return [...rows, '', `${closing[status]}${trace}`].join('\n');
};
