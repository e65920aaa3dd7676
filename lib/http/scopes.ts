import type { Scope } from '../contract/operation.ts';

/** How tokens of an issuer name the scopes of this API. */
export type ScopeNaming = {
  /** The claim with the scopes. Undefined for `scope`, else `scp`. */
  readonly scopeClaim: string | undefined;
  /** The text before each scope of this API, such as `returns.example/` at Cognito. */
  readonly scopePrefix: string;
};

type Claims = Readonly<Record<string, unknown>>;

const scopes: readonly Scope[] = ['returns:read', 'returns:write', 'returns:admin'];

/**
 * Returns the claim that holds the scopes of a token: `scope` (RFC 9068, 2.2.3), `scp` (Okta, Entra ID), or the claim
 * that the deployment names, such as `roles` or `permissions`.
 */
export const scopeClaimOf = (claims: Claims, { scopeClaim }: Pick<ScopeNaming, 'scopeClaim'>): unknown =>
  scopeClaim === undefined ? (claims['scope'] ?? claims['scp']) : claims[scopeClaim];

/** Splits text with scopes. An HTTP API writes a list as `[a b]` or `[a, b]`. */
const splitText = (text: string): readonly string[] =>
  text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).split(/[\s,]+/) : text.split(' ');

/** Returns the texts of a claim. An item of a list is one scope, whatever characters it holds. */
const textsOf = (claim: unknown): readonly unknown[] => {
  if (Array.isArray(claim)) return claim;
  return typeof claim === 'string' ? splitText(claim) : [];
};

/**
 * Returns the scopes of this API that a claim grants, without the prefix of the issuer. The claim is text, a list, or a
 * list that an HTTP API wrote as text. A scope without the prefix is a scope of another API, so it grants nothing.
 */
export const grantedScopes = (claim: unknown, { scopePrefix }: Pick<ScopeNaming, 'scopePrefix'>): readonly Scope[] => {
  const granted = new Set(textsOf(claim));
  return scopes.filter((scope) => granted.has(`${scopePrefix}${scope}`));
};
