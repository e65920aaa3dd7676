import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { failureReason } from '../../access/secrets/failure-reason.ts';
import { isObject, parseObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';

/* Calls an operation of a deployed stage by its function: an operator has AWS credentials, and often no client. */

/** How the functions of a stage are called. */
export type StageFunctions = {
  readonly client: LambdaClient;
  /** Returns the name of the function of an operation. */
  readonly functionName: (operation: string) => string;
};

const limitMs = 35_000;

/**
 * Reads by an operation. It is repeated by the SDK after a lost answer, so it must change nothing.
 *
 * @returns a failure of one sentence without the answer
 */
export const readOperation = async <Name extends OperationName>(
  { client, functionName }: StageFunctions,
  name: Name,
  input: Input<Name>,
): Promise<Result<Output<Name>, string>> => {
  const FunctionName = functionName(name);
  const command = new InvokeCommand({ FunctionName, Qualifier: 'live', Payload: JSON.stringify({ input }) });
  try {
    const { FunctionError, Payload } = await client.send(command, { abortSignal: AbortSignal.timeout(limitMs) });
    const answer = parseObject(Payload?.transformToString() ?? '') ?? {};
    // The function is of this release, so a reply with a body has the type of the operation.
    if (FunctionError === undefined && isObject(answer['body'])) return ok(answer['body'] as Output<Name>);
    const { code } = parseObject(String(answer['errorMessage'])) ?? {};
    return fail(`the function ${FunctionName} failed${typeof code === 'string' ? `: ${code}` : ''}`);
  } catch (error) {
    return fail(`the function ${FunctionName} cannot be called: ${failureReason(error)}`);
  }
};
