import { signal } from '@preact/signals';

/** The returns of the list that a person saw last, in its order. They stay in memory. */
export const listedReturns = signal<readonly string[]>([]);
