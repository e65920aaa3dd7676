import { asyncapi as operation } from '../../contract/operations.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { eventServers } from '../event-servers.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { forward } from '../forward.ts';

/**
 * The AsyncAPI document of the Returns Service: that service emits the events, so only it knows their types and their
 * source. The server is this deployment, which forwards listEvents.
 */
export const asyncapi = async (input: Input<'asyncapi'>, call: Call): Promise<Result<Reply<Output<'asyncapi'>>>> => {
  // This operation changes the body, so it must parse it.
  const { passthrough: _, ...reading } = call;
  const answer = await forward(operation, input, reading);
  if (!answer.ok) return answer;
  const { value } = answer;
  return ok({ ...value, body: { ...value.body, ...eventServers(call) } });
};
