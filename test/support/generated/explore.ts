import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Pool } from 'undici';
import type { Operation } from './document.ts';
import { faultsOf } from './faults.ts';
import { printable, type Answer, type Request } from './request.ts';
import { fittingRequests, placeOf, type Setting } from './requests.ts';
import { unfittingRequests } from './unfitting.ts';

/** An API to send requests to. */
export type Subject = Setting & {
  readonly pool: Pool;
  readonly tokenOf: (clientId: string) => Promise<string>;
  /** Brings into being what requests point at, when there is little of it. */
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

/** What says of itself that it passes is given a chance to; what stays is no busy moment but a fault. */
export const passing: ReadonlySet<number> = new Set([503, 504]);
export const tries = 3;

const patiently = async (subject: Subject, request: Request): Promise<Answer> => {
  for (let count = 1; ; count += 1) {
    const answer = await send(subject, request).catch((error: unknown) => {
      throw new Error(`not answered: ${inspect(error)}`);
    });
    if (!passing.has(answer.status) || count === tries) return answer;
  }
};

/** Requests as documented, and as many that are not. */
export const requestsOf = (setting: Setting, operation: Operation): fc.Arbitrary<Request> => {
  const fitting = fittingRequests(setting, operation);
  return fc.oneof(fitting, unfittingRequests(setting, fitting, operation.body !== undefined)).map(printable);
};

/** The fault alone: where in the harness it was found is no help. */
const failure = (faults: readonly string[], { status, text }: Answer): Error => {
  const error = new Error(`${faults.join('\n')}\n\n${status} ${text.slice(0, 4_000)}`);
  error.stack = `Error: ${error.message}`;
  return error;
};

type Extent = {
  readonly runs: number;
  readonly seed: number;
  /** How often a request that fails may be made smaller. */
  readonly shrinks?: number;
};

/**
 * Sends generated requests of one operation, and tells of the smallest whose answer is not as documented.
 *
 * @param counts where answers are counted by status, also when one of them is wrong
 * @returns the counts
 * @throws Error with the request, what is wrong with its answer, and the seed
 */
export const explore = async (
  subject: Subject,
  operation: Operation,
  { runs, seed, shrinks = 500 }: Extent,
  counts = new Map<number, number>(),
): Promise<ReadonlyMap<number, number>> => {
  await subject.stock();
  const place = placeOf(subject, operation);
  const property = fc
    .asyncProperty(fc.limitShrink(requestsOf(subject, operation), shrinks), async (request) => {
      const answer = await patiently(subject, request);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      subject.world.learn(place, request, answer);
      const faults = faultsOf(request, answer, subject.document);
      if (faults.length > 0) throw failure(faults, answer);
    })
    .beforeEach(subject.stock);
  await fc.assert(property, { seed, numRuns: runs, includeErrorInReport: true });
  return counts;
};
