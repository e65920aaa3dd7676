import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { Operation } from '../../lib/contract/operation.ts';
import { ours } from './candidates.ts';
import type { HandlerAnswer } from './container.ts';
import { contextOf } from './context.ts';
import { eventOf, type RequestOf } from './requests.ts';

/* Invokes the built functions of the standalone mode in this process, like Lambda. */

type Handler = (event: unknown, context: Context) => Promise<HandlerAnswer>;

/** A request to a built function. */
export type BuiltRequest = { readonly operation: Operation } & RequestOf;

export type Invoked = { readonly milliseconds: number; readonly body: Record<string, unknown> };

const timeout = 10_000;
const handlers = new Map<string, Promise<Handler>>();

const load = async (operation: string): Promise<Handler> => {
  const module = (await import(pathToFileURL(resolve(ours('standalone', operation).file)).href)) as {
    readonly handler: Handler;
  };
  return module.handler;
};

const handlerOf = (operation: string): Promise<Handler> => {
  const known = handlers.get(operation) ?? load(operation);
  handlers.set(operation, known);
  return known;
};

/** Invokes a function, and returns its duration and its body. */
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
