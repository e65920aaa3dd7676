import { computed, signal } from '@preact/signals';
import type { Scope } from '../../contract/operation.ts';

/** The signed-in person. The token stays in memory: no other tab and no later page can read it. */
export type Session = {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly scopes: ReadonlySet<string>;
  readonly name: string;
  /** The claim `sub` of the token. Empty if the token has none. */
  readonly subject: string;
};

export const session = signal<Session | undefined>(undefined);

/** Whether the token of the person has a scope. The API checks it again. */
export const may = (scope: Scope): boolean => session.value?.scopes.has(scope) ?? false;

/** The name of the person, for the header. */
export const personName = computed(() => session.value?.name ?? '');
