import { isUserId } from '../../contract/if-match.ts';
import { type Scope, scopes } from '../../contract/operation.ts';
import type { User } from '../../contract/port.ts';

/** How tokens of an issuer name the scopes of this API. */
export type ScopeNaming = {
  /** The claim with the scopes. Undefined for `scope`, else `scp`. */
  readonly scopeClaim: string | undefined;
  /** The text before each scope of this API, such as `returns.example/` at Cognito. */
  readonly scopePrefix: string;
};

type Claims = Readonly<Record<string, unknown>>;

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

/**
 * Returns whether a request came through the `web` API, where the callers are users. The stage of that API sets the
 * variable. A caller cannot: only the gateway writes this part of the event.
 */
export const isForUsers = ({
  stageVariables,
}: {
  readonly stageVariables?: Readonly<Record<string, string | undefined>> | null | undefined;
}): boolean => stageVariables?.['callers'] === 'users';

/** How tokens of an issuer name users. */
export type UserNaming = {
  /** The claim with the id, such as `sub` or `oid`. */
  readonly userClaim: string;
  /** The claim with the name to show. */
  readonly userNameClaim: string;
};

const maxName = 200;

/** Control characters, unassigned ones, and those that change the direction of the text around a name. */
const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns the name of a user; undefined for a claim that cannot be shown. */
const nameIn = (claim: unknown): string | undefined => {
  const name = typeof claim === 'string' ? claim.normalize('NFC').trim() : '';
  return name === '' || name.length > maxName || unprintable.test(name) ? undefined : name;
};

/**
 * Returns whether a token belongs to a client without a user. Issuers write different claims into it: Entra ID writes
 * `idtyp`, Auth0 `gty` and a subject that ends with `@clients`, Keycloak the name of a service account. Other issuers
 * repeat the client id as the subject.
 */
const isOfClient = (claims: Claims, id: string, clientId: string): boolean =>
  id === clientId ||
  id === `${clientId}@clients` ||
  claims['sub'] === clientId ||
  claims['idtyp'] === 'app' ||
  claims['gty'] === 'client-credentials' ||
  (typeof claims['preferred_username'] === 'string' && claims['preferred_username'].startsWith('service-account-'));

/** Returns the user of a token; undefined when it names none, or a client instead. */
export const userOf = (
  claims: Claims,
  clientId: string,
  { userClaim, userNameClaim }: UserNaming,
): User | undefined => {
  const id = claims[userClaim];
  if (typeof id !== 'string' || !isUserId(id) || isOfClient(claims, id, clientId)) return undefined;
  const name = nameIn(claims[userNameClaim]);
  return { id, ...(name !== undefined && { name }) };
};
