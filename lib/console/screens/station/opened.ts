import { signal } from '@preact/signals';
import { getOrder, getReturn } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { setQuery } from '../../app/router.ts';
import type { Order, Return } from './units.ts';
import { rmaNumbers } from './work.ts';

/* The return whose parcel lies on the table. */

export type Opened = {
  readonly value: Return;
  readonly version?: number;
  /** The names of the goods. Absent if the order cannot be read. */
  readonly order?: Order;
  /** The code that opened the return. */
  readonly code?: string;
};

export const opened = signal<Opened | undefined>(undefined);

/** Why the last reading failed. */
export const readingProblem = signal<Problem | undefined>(undefined);

export const steps = ['receive', 'photograph', 'inspect'] as const;

export type Step = (typeof steps)[number];

/** Reads the return again. Returns whether it succeeded. */
export const reload = async (returnId: string): Promise<boolean> => {
  const answer = await call(getReturn, { returnId });
  readingProblem.value = answer.ok ? undefined : answer.problem;
  if (!answer.ok) return false;
  const before = opened.peek();
  const kept = before?.value.returnId === returnId ? before : undefined;
  opened.value = {
    ...kept,
    value: answer.value,
    ...(answer.version !== undefined && { version: answer.version }),
  };
  rmaNumbers.set(returnId, answer.value.rmaNumber);
  return true;
};

const readOrder = async (returnId: string): Promise<void> => {
  const current = opened.peek();
  if (current === undefined) return;
  const { platform, orderId } = current.value.order;
  const answer = await call(getOrder, { platform, orderId });
  const now = opened.peek();
  // Without the facts of the order, the SKUs name the goods.
  if (answer.ok && now?.value.returnId === returnId) opened.value = { ...now, order: answer.value };
};

/** Opens a return. Its address has the id, so that a colleague can open it too. */
export const open = async (returnId: string, code?: string): Promise<boolean> => {
  if (!(await reload(returnId))) return false;
  const now = opened.peek();
  if (now !== undefined && code !== undefined) opened.value = { ...now, code };
  await readOrder(returnId);
  setQuery({ return: returnId, step: undefined }, { replace: true });
  return true;
};

/** Puts the return aside for the next parcel. */
export const close = (): void => {
  opened.value = undefined;
  readingProblem.value = undefined;
  setQuery({ return: undefined, step: undefined }, { replace: true });
};
