import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';

/* Invokes the handler of a bundle in this process, like Lambda. */

export type HandlerAnswer = {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Handler = (event: unknown, context: Context) => Promise<HandlerAnswer>;

/** The maximum duration of an invocation in milliseconds. */
export const timeout = 10_000;

/** Loads a bundle, and returns its handler. */
export const loadHandler = async (file: string): Promise<Handler> => {
  const { handler } = (await import(pathToFileURL(resolve(file)).href)) as { readonly handler: Handler };
  return handler;
};

/** Returns the context that Lambda passes with an event. `deadline` is epoch milliseconds. */
export const contextOf = (deadline: number): Context =>
  ({
    functionName: 'bench',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:bench',
    memoryLimitInMB: '1024',
    awsRequestId: '00000000-0000-4000-8000-000000000000',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }) as Context;
