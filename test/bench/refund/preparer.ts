import { randomUUID } from 'node:crypto';
import { create, register, steps, type Subject } from '../../support/life.ts';
import { invokeBuilt } from '../invoke-built.ts';
import { offer } from '../remote.ts';

/*
 * Prepares returns in a process of its own, by the built functions. Each has an order of its own with three lines, and
 * one received and accepted unit, whose refund is due.
 */

export type Preparer = {
  /** Prepares this number of returns, and returns their ids. */
  readonly prepare: (given: { readonly count: number }) => Promise<string[]>;
};

const commands = ['approve', 'receive', 'inspect'] as const;

const prepareOne = async (): Promise<string> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await invokeBuilt(register(order, 3));
  const { body } = await invokeBuilt(create(order, 2, randomUUID()));
  const subject: Subject = { ...(body as unknown as Omit<Subject, 'order'>), order };
  for (const command of commands) await invokeBuilt(steps[command](subject, randomUUID()));
  return subject.returnId;
};

offer({
  prepare: async ({ count }) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await prepareOne());
    return ids;
  },
} satisfies Preparer);
