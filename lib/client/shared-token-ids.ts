import { sharedTokenConfig } from '../runtime/config.ts';
import type { Scope } from '../contract/operation.ts';

/** The scopes that operations ask for together, sorted: what only reads, what commands, and that for an administrator. */
const scopeSets = {
  read: ['returns:read'],
  write: ['returns:write'],
  admin: ['returns:admin', 'returns:write'],
} as const satisfies Readonly<Record<keyof ReturnType<typeof sharedTokenConfig>, readonly Scope[]>>;

/** Where tokens for all containers are kept: the id of a secret by the token's scopes, between single spaces. */
export const sharedTokenIds = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(sharedTokenConfig()).flatMap(([set, id]): [string, string][] =>
      id === '' ? [] : [[scopeSets[set as keyof typeof scopeSets].join(' '), id]],
    ),
  );
