import { signal } from '@preact/signals';
import type { Output } from '../../../contract/contract.ts';

export type Summary = Output<'listReturns'>['items'][number];

/** The selected returns with the version that the person saw, by id. */
export const selected = signal<ReadonlyMap<string, Summary>>(new Map());

/** The return that the person selected last: a range begins there. */
let anchor: string | undefined;

/**
 * Selects a return, or takes it out of the selection.
 *
 * @param isRange gives all returns from the last one to this the same state
 */
export const toggle = (item: Summary, items: readonly Summary[], isRange: boolean): void => {
  const next = new Map(selected.value);
  const isOn = !next.has(item.returnId);
  const at = items.indexOf(item);
  const from = isRange ? items.findIndex(({ returnId }) => returnId === anchor) : -1;
  const range = from === -1 ? [item] : items.slice(Math.min(from, at), Math.max(from, at) + 1);
  for (const row of range) {
    if (isOn) next.set(row.returnId, row);
    else next.delete(row.returnId);
  }
  anchor = item.returnId;
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
