import { signal } from '@preact/signals';
import type { Output } from '../../../contract/contract.ts';

export type Summary = Output<'listReturns'>['items'][number];

/** The selected returns with the version that the person saw, by id. */
export const selected = signal<ReadonlyMap<string, Summary>>(new Map());

/** Selects a return, or takes it out of the selection. */
export const toggle = (item: Summary): void => {
  const next = new Map(selected.value);
  if (!next.delete(item.returnId)) next.set(item.returnId, item);
  selected.value = next;
};

/** Selects all of the returns, or none of them if all are selected. */
export const toggleAll = (items: readonly Summary[]): void => {
  const areAll = items.every(({ returnId }) => selected.value.has(returnId));
  const next = new Map(selected.value);
  for (const item of items) {
    if (areAll) next.delete(item.returnId);
    else next.set(item.returnId, item);
  }
  selected.value = next;
};

export const clearSelection = (): void => {
  selected.value = new Map();
};
