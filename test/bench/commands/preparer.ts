import { randomUUID } from 'node:crypto';
import { closeReceipt } from '../../../lib/contract/operations.ts';
import { create, register } from '../../support/life.ts';
import type { Subject } from '../container.ts';
import { invokeBuilt } from '../invoke-built.ts';
import { offer } from '../remote.ts';

/*
 * Prepares returns in a process of its own, by the built functions. Each has an order of its own with three lines of
 * two units. The measured commands take all of them from one status to the next.
 */

export type Preparer = {
  /** Requests this number of returns. A subject has the id of its return, and of the line whose unit is received. */
  readonly request: (given: { readonly count: number }) => Promise<Subject[]>;
  /** Marks the units that have not been received as missing: a return with outstanding units cannot be completed. */
  readonly closeReceipts: (given: { readonly subjects: readonly Subject[] }) => Promise<void>;
};

type Created = { readonly returnId: string; readonly lines: readonly { readonly lineId: string }[] };

const requestOne = async (): Promise<Subject> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await invokeBuilt(register(order, 3));
  const { body } = await invokeBuilt(create(order, 2, randomUUID()));
  const { returnId, lines } = body as Created;
  return { returnId, lineId: lines[0]?.lineId ?? '' };
};

offer({
  request: async ({ count }) => {
    const subjects: Subject[] = [];
    while (subjects.length < count) subjects.push(await requestOne());
    return subjects;
  },
  closeReceipts: async ({ subjects }) => {
    for (const { returnId = '' } of subjects)
      await invokeBuilt({ operation: closeReceipt, path: { returnId }, body: {} });
  },
} satisfies Preparer);
