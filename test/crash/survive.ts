import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/api.ts';
import { audit } from '../support/audit.ts';
import { wasOnce } from '../support/audit/returns.ts';
import { commandsIn, type Stored } from '../support/audit/stored.ts';
import { isExpected } from '../support/life.ts';
import type { Load, Mortal, SentRequest, Victim } from './harness.ts';

type Answered = SentRequest & { readonly answer: Answer };

export const isAcknowledged = (sentRequest: SentRequest): sentRequest is Answered =>
  sentRequest.answer !== undefined && sentRequest.answer.status < 300;
export const canRepeat = ({ request }: SentRequest): boolean => request.operation.method !== 'PATCH';
const isReturn = ({ body }: Answer): boolean => 'rmaNumber' in body;
const fieldsOf = (body: { readonly returnId?: string } = {}) => body;

/** Returns the return whose history must have an entry of an acknowledged request. */
const returnOf = ({ request, answer }: Answered): string | undefined =>
  isReturn(answer) ? answer.body.returnId : fieldsOf(request.body).returnId;

/** Repeats a request under its first key. */
type Repeat = Mortal['repeat'];

/** Repeats each request with an unknown result. Its key, or the id in its path, makes that harmless. */
const settle = async (mortal: Mortal, sent: readonly SentRequest[]): Promise<void> => {
  for (const sentRequest of sent) {
    if (sentRequest.answer === undefined && canRepeat(sentRequest))
      sentRequest.answer = await mortal.repeat(sentRequest);
  }
};

/** Returns the answers that the contract does not allow. */
export const unexpected = (sent: readonly SentRequest[]): string[] =>
  sent.flatMap(({ request, answer }) =>
    answer === undefined || isExpected(request, answer)
      ? []
      : [`${request.operation.name} was answered with ${answer.status} ${JSON.stringify(answer.body)}`],
  );

/** Repeats acknowledged requests, and returns those that are answered otherwise. */
export const otherAnswers = async (repeat: Repeat, acknowledged: readonly Answered[]): Promise<string[]> => {
  const differences: string[] = [];
  for (const sentRequest of acknowledged.filter(canRepeat)) {
    const { name, idempotencyKey } = sentRequest.request.operation;
    const again = await repeat(sentRequest);
    if (!isDeepStrictEqual(again.body, sentRequest.answer.body))
      differences.push(`a repeated ${name} is answered otherwise`);
    if (idempotencyKey && again.headers.get('idempotency-replayed') !== 'true')
      differences.push(`a ${name} was run again`);
  }
  return differences;
};

/** Checks that a return's history has each of its commands, and no others. */
const entryDifferences = (stored: Stored, sent: readonly SentRequest[], id: string): string[] => {
  const commands = sent.filter(isAcknowledged).filter((sentRequest) => returnOf(sentRequest) === id).length;
  // A change without a key is not repeated. It may be in the history or not.
  const unknown = sent.filter(({ request, answer }) => answer === undefined && request.path['returnId'] === id).length;
  const recorded = commandsIn(stored, id);
  if (recorded >= commands && recorded <= commands + unknown) return [];
  const requests = sent
    .filter((sentRequest) => sentRequest.request.path['returnId'] === id)
    .map(
      ({ request, answer }) => `${request.operation.name} ${answer?.status ?? 'unknown'} ${answer?.body.code ?? ''}`,
    );
  const counts = `${recorded} commands in the history, ${commands} acknowledged, ${unknown} without a known result`;
  return [`${id}: ${counts}: ${requests.join(', ')}`];
};

/** Returns the acknowledged requests without exactly one effect, and effects without a request. */
export const lostOrDoubled = (stored: Stored, sent: readonly SentRequest[]): string[] => {
  const acknowledged = sent.filter(isAcknowledged);
  const orders = new Set(sent.map(({ request }) => request.path['orderId']));
  const created = acknowledged
    .filter(({ request }) => request.operation.name === 'createReturn')
    .map(({ answer }) => answer.body.returnId);
  const found = [...stored.returns.values()].filter(({ snapshot }) => orders.has(snapshot?.state.order.orderId));
  return [
    ...found.filter(({ id }) => !created.includes(id)).map(({ id }) => `${id}: no request created it`),
    ...acknowledged
      .filter(({ answer }) => isReturn(answer) && !wasOnce(stored, answer.body))
      .map(({ answer }) => `${answer.body.returnId}: version ${answer.body.version} is not what was acknowledged`),
    ...created.flatMap((id) => entryDifferences(stored, sent, id)),
  ];
};

/**
 * Kills the victim under load and restarts it. Each acknowledged command must then exist once with its response, and
 * nothing may exist in part.
 *
 * @returns the differences, as text
 */
export const surviveOnce = async (mortal: Mortal, victim: Victim, load: Load): Promise<string[]> => {
  const sent = await mortal.liveUntilKilled(victim, load);
  await mortal.revive(victim);
  await settle(mortal, sent);
  const repeated = await otherAnswers(mortal.repeat, sent.filter(isAcknowledged));
  const stored = await mortal.stored();
  return [...unexpected(sent), ...repeated, ...audit(stored), ...lostOrDoubled(stored, sent)];
};
