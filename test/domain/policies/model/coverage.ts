import type { Evaluation, LineEvaluation, TraceEntry } from '../../../../lib/domain/policies/evaluation.ts';

/** How often verdicts, codes, results of rules and effects occurred. */
export type Coverage = Map<string, number>;

const effectsIn = ({ effect }: TraceEntry): readonly string[] => {
  if (effect === undefined) return [];
  if ('set' in effect) return Object.keys(effect.set);
  if ('fee' in effect) return [effect.fee];
  if ('expired' in effect) return [effect.expired ? 'expired' : 'in time'];
  if ('lacks' in effect) return [effect.lacks.length > 0 ? 'lacks' : 'lacks nothing'];
  if ('approval' in effect) return [effect.approval];
  return Object.keys(effect);
};

const resultsOfLine = ({
  verdict,
  right,
  codes,
  missing,
  returnableUntil,
  fees = {},
}: LineEvaluation): readonly string[] => [
  `line: ${verdict}${right === undefined ? '' : ' by right'}`,
  ...codes.map((code) => `code: ${code}`),
  ...(missing.length > 0 ? ['line: something is missing'] : []),
  ...(returnableUntil === undefined ? [] : ['line: returnable until']),
  ...Object.keys(fees).map((type) => `line: fee ${type}`),
];

const resultsOfEntry = (entry: TraceEntry): readonly string[] => [
  `${entry.phase}: ${entry.result}`,
  ...(entry.result === 'matched' ? effectsIn(entry).map((effect) => `${entry.phase}: does ${effect}`) : []),
  ...(entry.overruledBy === undefined ? [] : [`${entry.phase}: overruled`]),
];

/** Counts the result of an evaluation. */
export const count = (coverage: Coverage, { verdict, approval, lines, trace }: Evaluation): void => {
  const keys = [
    `return: ${verdict}`,
    `approval of the return: ${approval}`,
    ...lines.flatMap(resultsOfLine),
    ...trace.flatMap(resultsOfEntry),
  ];
  for (const one of keys) coverage.set(one, (coverage.get(one) ?? 0) + 1);
};

const results = ['matched', 'not_matched', 'unknown'];
const effects: Readonly<Record<string, readonly string[]>> = {
  list: ['deny', 'exempts'],
  exclusion: ['deny'],
  window: ['expired', 'in time'],
  requirement: ['deny', 'lacks', 'lacks nothing'],
  limit: ['deny'],
  resolution: ['resolutions'],
  fee: ['inspection', 'restocking', 'return_shipping', 'promotion'],
  logistics: ['returnless', 'shipping', 'shipByDays'],
  settlement: ['inspection', 'refundTiming'],
  approval: ['auto', 'manual', 'reject'],
};

/** The counts that must occur among a few hundred requests. */
export const usual: readonly string[] = [
  ...['approved', 'needs_review', 'rejected'].map((verdict) => `return: ${verdict}`),
  ...['auto', 'manual', 'reject'].map((approval) => `approval of the return: ${approval}`),
  ...['eligible', 'eligible by right', 'needs_review', 'needs_review by right', 'ineligible'].map(
    (one) => `line: ${one}`,
  ),
  ...['something is missing', 'returnable until', 'fee restocking', 'fee inspection'].map((one) => `line: ${one}`),
  ...['partial_order', 'not_delivered', 'window_expired', 'resolution_not_allowed'].map((code) => `code: ${code}`),
  ...['note_required', 'evidence_required', 'needs_review', 'statutory_right'].map((code) => `code: ${code}`),
  ...Object.entries(effects).flatMap(([phase, done]) => [
    ...results.map((result) => `${phase}: ${result}`),
    ...done.map((effect) => `${phase}: does ${effect}`),
  ]),
  ...['exclusion', 'window', 'requirement', 'limit', 'approval'].map((phase) => `${phase}: skipped`),
  ...['window', 'fee', 'logistics', 'settlement'].map((phase) => `${phase}: overruled`),
];

/** Returns a Markdown table of the counts. */
export const tableOf = (coverage: Coverage): string => {
  const groups = Map.groupBy(
    [...coverage].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([key]) => key.split(': ')[0] ?? '',
  );
  const rows = [...groups].map(
    ([name, entries]) => `| ${name} | ${entries.map(([key, times]) => `${key.split(': ')[1]} ${times}`).join(', ')} |`,
  );
  return ['| what | how often |', '|---|---|', ...rows].join('\n');
};
