import { randomUUID } from 'node:crypto';
import type { Backend, Call, Reply } from '../../lib/contract/port.ts';
import type { Result } from '../../lib/contract/result.ts';
import type { OperationName, Output } from '../../lib/contract/contract.ts';
import { backendCall } from './backend-call.ts';
import { create, register, type MoreFacts, type Request, type Subject, subjectOf } from './life.ts';

/** A return during its life, as the last command returned it. */
export type Lived = Subject & Output<'getReturn'>;

/** One command of a life, from the present state of the return. `serial` is text that no other request has. */
export type LivedStep = (lived: Lived, serial: string) => Request;

/** A request to the backend, and its response. */
export type ExecutedRequest = { readonly request: Request; readonly call: Call; readonly reply: Reply<unknown> };

type Run = (input: unknown, call: Call) => Promise<Result<Reply<unknown>>>;

/** Runs a request on the backend itself. A failure is an error. */
export const executeRequest = async (backend: Backend, request: Request, call: Call): Promise<ExecutedRequest> => {
  // Requests of a life fit their operations.
  const run = backend[request.operation.name as OperationName] as Run;
  const { ifMatch } = request;
  // The HTTP layer passes a key only to operations that have one.
  const { idempotencyKey, ...unkeyed } = call;
  const keyed = request.operation.idempotencyKey && idempotencyKey !== undefined ? call : unkeyed;
  const answer = await run({ ...request.path, ...request.body }, ifMatch === undefined ? keyed : { ...keyed, ifMatch });
  if (!answer.ok) throw new Error(`${request.operation.name} was refused: ${JSON.stringify(answer.failure)}`);
  return { request, call, reply: answer.value };
};

/** Leads a return of two units of each of three lines through a life. */
export async function* liveThrough(
  backend: Backend,
  life: readonly LivedStep[],
  more: MoreFacts = {},
): AsyncGenerator<ExecutedRequest> {
  const order = { platform: 'web', orderId: randomUUID() };
  yield executeRequest(backend, register(order, 3, more), backendCall());
  const created = await executeRequest(backend, create(order, 2, randomUUID()), backendCall());
  yield created;
  let lived = { ...(created.reply.body as Output<'getReturn'>), order };
  for (const step of life) {
    const executed = await executeRequest(backend, step(lived, randomUUID()), backendCall());
    yield executed;
    const body = executed.reply.body as Output<'getReturn'>;
    lived = 'rmaNumber' in body ? { ...body, order } : { ...lived, version: lived.version + 1 };
  }
}

/** Creates a return of one unit of each of three lines, of a new order. */
export const createSubject = async (backend: Backend): Promise<Subject> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await executeRequest(backend, register(order, 2), backendCall());
  const { reply } = await executeRequest(backend, create(order, 1, randomUUID()), backendCall());
  return subjectOf(order, reply as never);
};
