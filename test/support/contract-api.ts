import { basename } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Mode, modes } from '../../lib/tools/template/functions/function-row.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { type Api, api, apiOver } from './api.ts';
import { expireResponses } from './expire-responses.ts';
import { openInProcess } from './in-process.ts';
import { type OwnStack, startOwnStack } from './own-stack.ts';
import { runsEveryCase } from './samples.ts';
import { stack } from './stack.ts';

/**
 * The contract files that `npm test` runs over HTTP in both modes: each kind of operation, and each branch of the code by
 * which the connected mode forwards. In connected mode, direct/operations.test.ts calls every operation, and
 * generated.test.ts sends requests to each operation over HTTP. `npm test` runs the other files in process.
 */
const inBothModes: ReadonlySet<string> = new Set(['idempotency', 'orders', 'platform-facts', 'returns', 'service']);

/** Files whose subject is also what lies between the functions and AWS: the store of evidence verifies its uploads. */
const overHttp: ReadonlySet<string> = new Set([...inBothModes, 'attachments']);

const isIn = (files: ReadonlySet<string>, file: string): boolean =>
  runsEveryCase() || files.has(basename(file, '.test.ts'));

/** Returns the modes of a contract file. */
export const contractModes = (file: string): readonly Mode[] => (isIn(inBothModes, file) ? modes : ['standalone']);

const inProcess = (parameters: Readonly<Record<string, string>> = {}): Api => {
  let opened: ReturnType<typeof openInProcess> | undefined;
  return apiOver(async ({ method, path, headers, body }) => {
    const call = await (opened ??= openInProcess(parameters));
    const response = await call({ method, url: `/v1${path}`, headers, body });
    const fields = Object.entries(response.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return { status: response.status, headers: new Headers(fields), text: response.body.toString() };
  });
};

const thisFile = (): string => expect.getState().testPath ?? '';

/** Returns the caller of a mode in a contract file: over HTTP, or in the process of the test. */
export const contractApi = (mode: Mode): Api => (isIn(overHttp, thisFile()) ? api(mode) : inProcess());

type ServiceWithTerms = {
  readonly api: (mode: Mode) => Api;
  readonly info: () => StackInfo;
  /** Expires the stored responses to a key. In a stack of its own, it expires all: the connected mode sends other keys. */
  readonly expireResponses: (key: string) => Promise<void>;
};

/** Returns the same for a service with other terms than those of the stack. Over HTTP, that is a stack of its own. */
export const contractWithTerms = (returnTerms: object): ServiceWithTerms => {
  const file = thisFile();
  if (!isIn(overHttp, file))
    return {
      api: () => inProcess({ ReturnTerms: JSON.stringify(returnTerms) }),
      info: stack,
      expireResponses: async (key) => expireResponses(stack(), key),
    };
  let own: OwnStack | undefined;
  beforeAll(async () => {
    own = await startOwnStack({ modes: contractModes(file), returnTerms });
  });
  afterAll(async () => own?.close());
  const info = (): StackInfo => own?.info ?? stack();
  return { api: (mode: Mode) => api(mode, info()), info, expireResponses: async () => expireResponses(info()) };
};
