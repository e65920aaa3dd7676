import { contract } from '../../lib/contract/contract.ts';
import type { OperationEntry } from '../../lib/contract/entry.ts';

const entries: Readonly<Record<string, OperationEntry>> = contract;

/** Returns an answer of an operation that fits the contract, with other values of some members. */
export const exampleAnswer = (operation: string, members: object = {}): object => {
  const entry = entries[operation];
  if (entry === undefined) throw new Error(`there is no operation ${operation}`);
  return { ...(entry.example.output as object), ...members };
};

/** Returns the item of a page that fits the contract, with other values of some members. */
export const exampleItem = (operation: string, members: object = {}): object => {
  const [item] = (exampleAnswer(operation) as { readonly items: readonly object[] }).items;
  return { ...item, ...members };
};
