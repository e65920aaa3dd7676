import { pathToFileURL } from 'node:url';

/*
 * Calls a built function of a deployment on this machine: `check-service.ts` starts this module with the variables of the
 * function, and gets the problem of its answer as a message. What the function prints is dropped there.
 */

/** A call of a function by its file and the fields of its operation. */
export type FunctionCall = { readonly file: string; readonly input: object; readonly limitMs: number };

/** The message of this module: the problem as JSON; undefined for an answer without one. */
export type FunctionCalled = { readonly problem: string | undefined };

type Handler = (event: { readonly input: object }, context: object) => Promise<unknown>;

const problemOf = async ({ file, input, limitMs }: FunctionCall): Promise<string | undefined> => {
  const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: Handler };
  const end = Date.now() + limitMs;
  const context = { awsRequestId: 'deploy', getRemainingTimeInMillis: () => Math.max(0, end - Date.now()) };
  try {
    await handler({ input }, context);
    return undefined;
  } catch (error) {
    // A direct invocation throws the problem as its message.
    return error instanceof Error ? error.message : String(error);
  }
};

const called: FunctionCalled = { problem: await problemOf(JSON.parse(process.argv[2] ?? '{}') as FunctionCall) };
// The connections of the function stay open.
process.send?.(called, () => process.exit());
