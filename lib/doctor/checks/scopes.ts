import type { Operation, Scope } from '../../contract/operation.ts';
import * as operations from '../../contract/operations.ts';

const named = (scope: Scope | null): string =>
  Object.values<Operation>(operations)
    .filter((operation) => operation.scope === scope)
    .map(({ name }) => name)
    .join(', ');

/** Scopes that a token is asked for at once. */
export type ScopeSet = {
  readonly scopes: readonly Scope[];
  /** What fails without such a token. */
  readonly needs: string;
  /** Whether the functions ask for just that whoever calls them. */
  readonly always: boolean;
};

const byAdmins = `${named('returns:write')}, where the caller holds returns:admin; ${named('returns:admin')}`;

/** Every set of scopes that the functions ask for, and admin by itself, the one first that reading needs. */
export const scopeSets: readonly ScopeSet[] = [
  { scopes: ['returns:read'], needs: `${named('returns:read')}, health`, always: true },
  { scopes: ['returns:write'], needs: `${named('returns:write')}, process`, always: true },
  { scopes: ['returns:admin'], needs: byAdmins, always: false },
  { scopes: ['returns:write', 'returns:admin'], needs: byAdmins, always: false },
];

export const nameOfSet = ({ scopes }: ScopeSet): string => `scope ${scopes.join(' ')}`;
