import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Pool } from 'undici';
import { sendPatiently } from '../send-patiently.ts';
import type { Operation } from './document.ts';
import { faultsOf } from './faults.ts';
import { printable, type Answer, type Request } from './request.ts';
import { fittingRequests, operationKeyOf, type Setting } from './requests.ts';
import { unfittingRequests } from './unfitting.ts';

/** An API for the requests. */
export type Subject = Setting & {
  readonly pool: Pool;
  readonly tokenOf: (clientId: string) => Promise<string>;
  /** Creates resources for the requests, when there are few. */
  readonly stock: () => Promise<void>;
};

const send = async ({ pool, tokenOf }: Subject, request: Request): Promise<Answer> => {
  const { operation, client, path, query, headers, body } = request;
  const {
    statusCode,
    headers: answered,
    body: content,
  } = await pool.request({
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...(client === null ? {} : { authorization: `Bearer ${await tokenOf(client)}` }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: statusCode, headers: answered as Answer['headers'], text: await content.text() };
};

const patiently = async (subject: Subject, request: Request): Promise<Answer> =>
  sendPatiently(async () => send(subject, request)).catch((error: unknown) => {
    throw new Error(`not answered: ${inspect(error)}`);
  });

/** Generates documented requests, and as many that violate the document. */
export const requestsOf = (setting: Setting, operation: Operation): fc.Arbitrary<Request> => {
  const fitting = fittingRequests(setting, operation);
  return fc.oneof(fitting, unfittingRequests(setting, fitting, operation.body !== undefined)).map(printable);
};

/** Returns an error without a stack: the place in the harness does not help. */
const failure = (faults: readonly string[], { status, text }: Answer): Error => {
  const error = new Error(`${faults.join('\n')}\n\n${status} ${text.slice(0, 4_000)}`);
  error.stack = `Error: ${error.message}`;
  return error;
};

type Extent = {
  readonly runs: number;
  readonly seed: number;
  /** The maximum number of attempts to shrink a failing request. */
  readonly shrinks?: number;
};

/**
 * Sends generated requests of one operation, and reports the smallest one with an undocumented response.
 *
 * @param counts responses by status, also when one of them is wrong
 * @returns the counts
 * @throws Error with the request, the faults of its response, and the seed
 */
export const explore = async (
  subject: Subject,
  operation: Operation,
  { runs, seed, shrinks = 500 }: Extent,
  counts = new Map<number, number>(),
): Promise<ReadonlyMap<number, number>> => {
  await subject.stock();
  const operationKey = operationKeyOf(subject, operation);
  const property = fc
    .asyncProperty(fc.limitShrink(requestsOf(subject, operation), shrinks), async (request) => {
      const answer = await patiently(subject, request);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      subject.world.learn(operationKey, request, answer);
      const faults = faultsOf(request, answer, subject.document);
      if (faults.length > 0) throw failure(faults, answer);
    })
    .beforeEach(subject.stock);
  await fc.assert(property, { seed, numRuns: runs, includeErrorInReport: true });
  return counts;
};
