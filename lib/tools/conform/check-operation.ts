import { randomUUID } from 'node:crypto';
import type { Description } from './description.ts';
import { answerFindings, checked, failureFindings, type Finding, rowOf, type Row } from './findings.ts';
import { inputDifferences } from './input.ts';
import type { OfferedOperation } from './offered-operations.ts';
import { personalDataIn } from './personal-data.ts';
import type { RecordedCase, Recording } from './recording.ts';
import type { Replay, ReplayServer } from './replay-server.ts';

/** Whether the service carries out a write of the case without an answer. */
const losesWrite = ({ exchanges }: RecordedCase): boolean =>
  exchanges.some(({ request, answer }) => request.method !== 'GET' && answer === 'lost');

/** All writes of a command have its key, also a repeated one. A service ignores a header that it does not know. */
const keyDifferences = (
  keyHeader: string | undefined,
  { sent }: Replay,
  description: Description | undefined,
): readonly string[] => {
  if (keyHeader === undefined) return [];
  const writes = sent.filter(({ method }) => method !== 'GET');
  const keys = new Set(writes.map(({ headers }) => headers[keyHeader]));
  const unknown = writes.find((write) => description?.hasHeader(write, keyHeader) === false);
  return [
    ...(keys.has(undefined) ? [`a write has no ${keyHeader}`] : []),
    ...(keys.size > 1 ? [`a repeat has another ${keyHeader}`] : []),
    ...(unknown === undefined
      ? []
      : [`${unknown.method} ${unknown.path}: by the description, there is no header ${keyHeader}`]),
  ];
};

const requestFindings = (
  { keyHeader }: OfferedOperation,
  replay: Replay,
  recorded: RecordedCase,
  description: Description | undefined,
): readonly Finding[] => {
  const { sent, differences, exchanges, next } = replay;
  // A request that differs takes the place of the expected one, and its line names both.
  const unsent =
    differences.length > 0
      ? []
      : exchanges.slice(next).map(({ request: { method, path } }) => `did not send ${method} ${path}`);
  return checked(losesWrite(recorded) ? 'repeat' : 'requests', [
    ...differences,
    ...unsent,
    ...keyDifferences(keyHeader, replay, description),
    ...(description === undefined ? [] : sent.flatMap(description.differencesOf)),
  ]);
};

/** Sends a command again with its key: the journal answers, and nothing is sent. */
const repeatFindings = async (
  operation: OfferedOperation,
  { input }: RecordedCase,
  key: string,
  server: ReplayServer,
): Promise<readonly Finding[]> => {
  const replay = server.replay([]);
  const { result } = await operation.run(input, key);
  const replayed = result.ok && result.value.replayed === true;
  return checked('repeat', [
    ...(replayed ? [] : ['the same key does not get the answer again']),
    ...replay.sent.map(({ method, path }) => `the same key sent ${method} ${path}`),
  ]);
};

/** Compares a case with the contract and the description, and searches it for personal data. */
const recordedFindings = (
  { name, entry }: OfferedOperation,
  recorded: RecordedCase,
  description: Description | undefined,
): readonly Finding[] =>
  checked('recorded', [
    ...inputDifferences(name, entry, recorded.input),
    ...personalDataIn(recorded),
    ...recorded.exchanges.flatMap((exchange) =>
      exchange.undescribed === true ? [] : (description?.answerDifferencesOf(exchange) ?? []),
    ),
  ]);

const checkCase = async (
  operation: OfferedOperation,
  recorded: RecordedCase,
  { server, description }: Checking,
): Promise<readonly Finding[]> => {
  const replay = server.replay(recorded.exchanges);
  const key = recorded.key ?? randomUUID();
  const outcome = await operation.run(recorded.input, key);
  // A request that differs has no recorded answer, so what follows from it says nothing.
  const hasAnswers = replay.differences.length === 0;
  const findings = [
    ...recordedFindings(operation, recorded, description),
    ...requestFindings(operation, replay, recorded, description),
    ...(hasAnswers ? [...answerFindings(outcome, recorded), ...failureFindings(outcome, recorded)] : []),
    ...(operation.isCommand && outcome.result.ok ? await repeatFindings(operation, recorded, key, server) : []),
  ];
  return findings.map(({ check, text }) => ({
    check,
    ...(text !== undefined && { text: `${recorded.title}: ${text}` }),
  }));
};

export type Checking = { readonly server: ReplayServer; readonly description?: Description | undefined };

/** What a recording must have: a case, and for a command one whose write has no answer. */
const missingCases = ({ isCommand }: OfferedOperation, cases: readonly RecordedCase[]): readonly Finding[] => [
  ...(cases.length === 0
    ? [
        {
          check: 'requests' as const,
          text: `no case is recorded: use --record${isCommand ? ' with --commands and --inputs' : ''}, or write one`,
        },
      ]
    : []),
  ...(isCommand && cases.length > 0 && !cases.some(losesWrite)
    ? [{ check: 'repeat' as const, text: 'no case has a write with the answer "lost", which shows what a repeat does' }]
    : []),
];

/** Replays the cases of an operation. */
export const checkOperation = async (
  operation: OfferedOperation,
  recording: Recording | undefined,
  checking: Checking,
): Promise<Row> => {
  const cases = recording?.cases ?? [];
  const findings = [...missingCases(operation, cases)];
  for (const recorded of cases) findings.push(...(await checkCase(operation, recorded, checking)));
  return rowOf(operation, findings);
};
