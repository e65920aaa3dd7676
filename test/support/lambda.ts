import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Reply } from '../../lib/contract/port.ts';
import type { Problem } from '../../lib/contract/problem.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import type { Body } from './api.ts';
import { record } from './emitted/record.ts';
import { stack } from './stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/** The result of a direct invocation. The test checks whether it succeeded. */
export type Invoked = {
  readonly requestId: string;
  readonly reply?: Reply<Body>;
  /** The function's error, as the runtime reports it. */
  readonly error?: { readonly errorType: string; readonly errorMessage: string; readonly trace: string[] };
  /** The problem in the error's message. */
  readonly problem?: Problem;
};

/** Returns AWS's own client for the functions of one mode. */
export const lambdaClient = (mode: Mode, from: StackInfo = stack()): LambdaClient =>
  new LambdaClient({
    endpoint: from[mode].lambdaUrl,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });

/** Returns the function name of an operation, as osls builds it. */
export const functionName = (operation: string): string => `returns-dev-${operation}`;

/** Invokes an operation of one mode with an event. A text is the event in JSON already. */
export const lambda = (mode: Mode, from?: StackInfo) => {
  let client: LambdaClient | undefined;
  return async (operation: string, event: unknown): Promise<Invoked> => {
    client ??= lambdaClient(mode, from);
    const { FunctionError, Payload, $metadata } = await client.send(
      new InvokeCommand({
        FunctionName: functionName(operation),
        Payload: typeof event === 'string' ? event : JSON.stringify(event),
      }),
    );
    const text = Payload?.transformToString() ?? '';
    record('answer', text);
    const payload: unknown = JSON.parse(text);
    const requestId = $metadata.requestId ?? '';
    if (FunctionError === undefined) return { requestId, reply: payload as Reply<Body> };
    const error = payload as NonNullable<Invoked['error']>;
    return { requestId, error, problem: JSON.parse(error.errorMessage) as Problem };
  };
};

export type Lambda = ReturnType<typeof lambda>;
