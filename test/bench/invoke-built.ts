import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Operation } from '../../lib/contract/operation.ts';
import { ours } from './candidates.ts';
import { contextOf, loadHandler, timeout, type Handler } from './invoke.ts';
import { eventOf, type RequestOf } from './requests.ts';

/** A request to a built function of the standalone mode. */
export type BuiltRequest = { readonly operation: Operation } & RequestOf;

export type Invoked = { readonly milliseconds: number; readonly body: Record<string, unknown> };

const handlers = new Map<string, Promise<Handler>>();

const handlerOf = (operation: string): Promise<Handler> => {
  const known = handlers.get(operation) ?? loadHandler(ours('standalone', operation).file);
  handlers.set(operation, known);
  return known;
};

/** Invokes a built function in this process, like Lambda, and returns its duration and its body. */
export const invokeBuilt = async (request: BuiltRequest): Promise<Invoked> => {
  const { operation } = request;
  const handler = await handlerOf(operation.name);
  const event: unknown = JSON.parse(eventOf(operation, request).replaceAll('{count}', randomUUID()));
  // The runtime's next poll is a turn of the event loop later.
  await turn();
  const startedAt = performance.now();
  const { statusCode, body } = await handler(event, contextOf(Date.now() + timeout));
  const milliseconds = performance.now() - startedAt;
  if (statusCode >= 300) throw new Error(`${operation.name} answered ${statusCode}: ${body}`);
  return { milliseconds, body: JSON.parse(body) as Invoked['body'] };
};
