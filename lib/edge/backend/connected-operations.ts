import { asyncapi as asyncapiAnswer, health as healthAnswer } from '#contract/answers.js';
import { asyncapi as asyncapiOperation, health as healthOperation } from '../../contract/operations.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { type Call, type Reply, withShortDeadline } from '../../contract/port.ts';
import { eventServers } from './address.ts';
import { commonQueues, listQueues, redriveNamed } from '../../service/operations/inbox/dead-letter-queues.ts';
import { forward } from './forward.ts';

/**
 * The AsyncAPI document of the Returns Service: that service emits the events, so only it knows their types and their
 * source. The server is this deployment, which forwards listEvents.
 */
export const asyncapi = async (input: Input<'asyncapi'>, call: Call): Promise<Result<Reply<Output<'asyncapi'>>>> => {
  // This operation changes the body, so it must parse it.
  const { passthrough: _, ...reading } = call;
  const answer = await forward(asyncapiOperation, asyncapiAnswer, input, reading);
  if (!answer.ok) return answer;
  const { value } = answer;
  return ok({ ...value, body: { ...value.body, ...eventServers(call) } });
};

/** Whether the Returns Service can serve returns. */
export const health = async (input: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  forward(healthOperation, healthAnswer, input, withShortDeadline(call));

/* A deployment has queues of its own in each mode, so these operations are not forwarded. */

/** Lists the dead-letter queues of the connected mode. */
export const listDeadLetters = async (
  _: Input<'listDeadLetters'>,
  call: Call,
): Promise<Result<Reply<Output<'listDeadLetters'>>>> => listQueues(commonQueues, call);

/** Redrives messages of a dead-letter queue of the connected mode. */
export const redriveDeadLetters = async (
  input: Input<'redriveDeadLetters'>,
  call: Call,
): Promise<Result<Reply<Output<'redriveDeadLetters'>>>> => redriveNamed(commonQueues, input, call);
