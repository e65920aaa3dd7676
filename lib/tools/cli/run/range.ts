import type { JsonObject } from '../../../runtime/json.ts';
import { exitCodes } from '../../command-line/exit-codes.ts';
import { openProgress } from '../output/terminal.ts';
import { callOrNote, type Invocation, printRecord, reportFailure } from './context.ts';

/*
 * Operations that work on many items, at most 100 in a request. The command repeats the request until nothing is left,
 * and sums up the answers.
 */

/** Adds an answer to the sums: numbers are added, lists are joined. Other fields and `remaining` are those of the last answer. */
const addAnswer = (sums: JsonObject, answer: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const before = sums[name];
      if (name === 'remaining') return [name, value];
      if (typeof value === 'number' && typeof before === 'number') return [name, before + value];
      return Array.isArray(value) && Array.isArray(before)
        ? [name, [...(before as unknown[]), ...value]]
        : [name, value];
    }),
  );

/** Whether an answer of a queue has an effect: a count above 0, or an item in a list. */
const hasEffect = (answer: JsonObject): boolean =>
  Object.entries(answer).some(
    ([name, value]) =>
      name !== 'remaining' && ((typeof value === 'number' && value > 0) || (Array.isArray(value) && value.length > 0)),
  );

/** Whether a further request is needed. A queue counts its messages approximately, so an idle request ends the command. */
const isUnfinished = ({ info: { flow }, settings }: Invocation, answer: JsonObject): boolean => {
  if (flow === 'pages') return typeof answer['nextCursor'] === 'string';
  const { remaining } = answer;
  return settings.dryRun !== true && typeof remaining === 'number' && remaining > 0 && hasEffect(answer);
};

const progressText = (sums: JsonObject): string =>
  Object.entries(sums)
    .flatMap(([name, value]) => {
      if (typeof value === 'number') return [`${value} ${name}`];
      return Array.isArray(value) ? [`${value.length} ${name}`] : [];
    })
    .join(', ');

/** Says how far an incomplete command came, and how to continue it. */
const noteRest = ({ terminal }: Invocation, sums: JsonObject, cursor: string | undefined): void => {
  const rest = cursor === undefined ? 'Run the command again for the rest.' : `Continue with --cursor ${cursor}`;
  if (Object.keys(sums).length > 0) terminal.note(`So far: ${progressText(sums)}. ${rest}`);
};

/**
 * Repeats an operation until it has worked on all items, with a key for each request. With an explicit limit it sends
 * one request.
 *
 * @returns the exit code
 */
export const runRange = async (invocation: Invocation): Promise<number> => {
  const { info, input, settings, limit, terminal } = invocation;
  const { idempotencyKey: key } = settings;
  const progress = openProgress(terminal);
  let sums: JsonObject = {};
  let cursor = typeof input['cursor'] === 'string' ? input['cursor'] : undefined;
  for (let request = 1; ; request += 1) {
    const own = key === undefined || request === 1 ? key : `${key}-${request}`;
    const body = { ...input, ...(cursor === undefined ? {} : { cursor }) };
    const options = { ...settings, ...(own === undefined ? {} : { idempotencyKey: own }) };
    const answer = await callOrNote(invocation, info.operation.name, body, options).catch((error: unknown) => {
      progress.end();
      noteRest(invocation, sums, cursor);
      throw error;
    });
    if (!answer.ok) {
      progress.end();
      noteRest(invocation, sums, cursor);
      return reportFailure(invocation, answer.failure, own);
    }
    sums = addAnswer(sums, answer.value.body);
    const { remaining } = answer.value.body;
    const done = Object.values(sums).reduce<number>(
      (sum, value) => sum + (Array.isArray(value) ? value.length : typeof value === 'number' ? value : 0),
      0,
    );
    // The number of messages that a queue had at first is known only from what is left.
    if (typeof remaining === 'number') progress.update(progressText(sums), done - remaining, done);
    else progress.update(progressText(sums));
    if (limit === undefined && isUnfinished(invocation, answer.value.body)) {
      const next = answer.value.body['nextCursor'];
      cursor = typeof next === 'string' ? next : undefined;
      continue;
    }
    progress.end();
    await printRecord(invocation, sums);
    if (typeof remaining === 'number' && remaining > 0 && settings.dryRun !== true)
      terminal.note(`About ${remaining} messages remain. Run the command again for the rest.`);
    return exitCodes.ok;
  }
};
