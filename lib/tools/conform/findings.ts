import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../contract/result.ts';
import { isObject } from '../../runtime/json.ts';
import { endOf } from './failure-text.ts';
import type { OfferedOperation, Outcome } from './offered-operations.ts';
import type { RecordedCase, RecordedExchange } from './recording.ts';

/** The checks of an operation, in the order of the report. */
export const checks = ['requests', 'answers', 'states', 'failures', 'repeat', 'recorded'] as const;

export type Check = (typeof checks)[number];

/** The result of an operation: how often each check was made, and the differences that it found. */
export type Row = {
  readonly operation: string;
  /** The rule of repeats of a command. */
  readonly rule: string | undefined;
  readonly counts: Readonly<Record<Check, number>>;
  readonly differences: readonly { readonly check: Check; readonly text: string }[];
  /** Why the operation was not called. */
  readonly uncalled?: string;
};

export type Finding = { readonly check: Check; readonly text?: string };

/** Returns a finding for each difference, or that the check found none. */
export const checked = (check: Check, texts: readonly string[]): readonly Finding[] =>
  texts.length === 0 ? [{ check }] : texts.map((text) => ({ check, text }));

/** Texts of a person or of the service's own words. Ids and words of states have no spaces. */
const freeTextsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return /[\s@]/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(freeTextsIn);
  return isObject(value) ? Object.values(value).flatMap(freeTextsIn) : [];
};

/** Returns the texts of the service that a failure repeats. */
const leaksOf = (failure: Failure, exchanges: readonly RecordedExchange[]): readonly string[] => {
  const text = JSON.stringify(failure);
  return exchanges
    .flatMap(({ answer }) => (answer === 'lost' ? [] : freeTextsIn(answer.body)))
    .filter((foreign) => text.includes(JSON.stringify(foreign).slice(1, -1)));
};

/** Returns the code of a failure with its fields, and how the last request to the service ended. */
const failureText = ({ code, errors }: Failure, { tapped, thrown }: Outcome): string => {
  const fields = (errors ?? []).map(({ path, message }) => `${path || 'the body'} ${message}`);
  const last = tapped.calls.findLast(({ failure }) => failure !== undefined) ?? tapped.calls.at(-1);
  return [[code, ...fields].join(': '), last && endOf(last), thrown].filter(Boolean).join(', ');
};

export const failureFindings = (outcome: Outcome, { failure, exchanges }: RecordedCase): readonly Finding[] => {
  const { result } = outcome;
  if (failure === undefined) return [];
  if (result.ok) return [{ check: 'failures', text: `an answer instead of ${failure.code}` }];
  const { code, path } = failure;
  const found = result.failure;
  const isExpected = found.code === code && (path === undefined || found.errors?.[0]?.path === path);
  return checked('failures', [
    ...(isExpected
      ? []
      : [`${failureText(found, outcome)} instead of ${code}${path === undefined ? '' : ` at ${path}`}`]),
    ...leaksOf(found, exchanges).map(() => 'a text of the service is in the failure'),
  ]);
};

/** Returns the words of states in an answer that the adapter does not know. */
export const unknownStatesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(unknownStatesIn);
  if (!isObject(value)) return [];
  const { externalStatus } = value;
  return [
    ...(typeof externalStatus === 'string' ? [externalStatus] : []),
    ...Object.values(value).flatMap(unknownStatesIn),
  ];
};

export const answerFindings = (
  outcome: Outcome,
  { failure, answer, unknownState }: RecordedCase,
): readonly Finding[] => {
  const { result, foreignMembers } = outcome;
  if (failure !== undefined) return [];
  if (!result.ok) return [{ check: 'answers', text: failureText(result.failure, outcome) }];
  // As it leaves: without absent members.
  const body = JSON.parse(JSON.stringify(result.value.body)) as unknown;
  const isOther = answer !== undefined && !isDeepStrictEqual(body, answer);
  const words = unknownStatesIn(body);
  const unexpected = words.filter((word) => word !== unknownState);
  return [
    ...checked('answers', [
      ...foreignMembers.map((member) => `${member} is no member of the contract, and is left out`),
      ...(isOther ? [`the answer is ${JSON.stringify(body)}`] : []),
    ]),
    ...checked('states', [
      ...unexpected.map((word) => `the state ${word} has no status of ours`),
      ...(unknownState === undefined || words.includes(unknownState) ? [] : [`the state ${unknownState} is known`]),
    ]),
  ];
};

/** Returns the row of an operation. */
export const rowOf = ({ name, rule }: OfferedOperation, findings: readonly Finding[]): Row => ({
  operation: name,
  rule,
  counts: Object.fromEntries(
    checks.map((check) => [check, findings.filter((finding) => finding.check === check).length]),
  ) as Row['counts'],
  differences: findings.flatMap(({ check, text }) => (text === undefined ? [] : [{ check, text }])),
});
