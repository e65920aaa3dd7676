import { randomUUID } from 'node:crypto';
import { steps, type StepName, type Subject } from '../../support/life.ts';
import { invokeBuilt, type BuiltRequest, type Invoked } from '../invoke-built.ts';
import type { Metered } from './meter.ts';

/** The invocations of one operation: milliseconds of each, and the engine's consumption when metered. */
export type Taken = { readonly milliseconds: number[]; readonly metered: Metered[] };

/** Invokes built functions, and records the duration and the consumption of each by operation. */
export const openRecord = (meter: () => { readonly take: () => Metered } | undefined = () => undefined) => {
  const taken: Record<string, Taken> = {};
  return {
    taken: taken as Readonly<Record<string, Taken>>,
    measured: async (request: BuiltRequest): Promise<Invoked['body']> => {
      const { milliseconds, body } = await invokeBuilt(request);
      const of = (taken[request.operation.name] ??= { milliseconds: [], metered: [] });
      of.milliseconds.push(milliseconds);
      const metered = meter()?.take();
      if (metered !== undefined) of.metered.push(metered);
      return body;
    },
  };
};

type Measured = ReturnType<typeof openRecord>['measured'];

/** Returns the subject of further commands, from a response with a return. */
export const subjectIn = (order: Subject['order'], body: Invoked['body']): Subject => ({
  ...(body as unknown as Omit<Subject, 'order'>),
  order,
});

/** Takes a return through commands, and returns its last state. */
export const takeSteps = async (first: Subject, life: readonly StepName[], measured: Measured): Promise<Subject> => {
  let subject = first;
  for (const step of life) {
    const body = await measured(steps[step](subject, randomUUID()));
    if ('rmaNumber' in body) subject = subjectIn(first.order, body);
  }
  return subject;
};
