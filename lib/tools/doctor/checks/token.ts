import type { Operation, Scope } from '../../../contract/operation.ts';
import * as operations from '../../../contract/operations.ts';
import type { Clock } from '../../../access/net/clock.ts';
import { deadline } from '../../../access/net/deadline.ts';
import type { Credentials } from '../../../access/oauth/client-credentials.ts';
import { parseIssuedToken, sendTokenRequest, tokenLimit } from '../../../access/oauth/token-request.ts';
import { type IssuedToken, tokenField, type TokenFailure } from '../../../access/oauth/token-response.ts';
import { parseObject } from '../../../runtime/json.ts';
import { scopeWords, type ServiceAccess } from '../../../runtime/service-access.ts';
import type { Redacted } from '../../../access/secrets/failure-reason.ts';
import { attempt, type Attempt, type Check, failed, type CheckedValue, passed, skipped, warning } from '../check.ts';
import { explainTokenFailure, isAboutScope } from './token-failure.ts';
import { explainTransport, type Peer, type Explanation } from './transport.ts';

const maximum = 30;

/** Compares this clock with the Date header of a response (RFC 9110, 6.6.1), which has whole seconds. */
export const checkClock = (name: string, { answer, endedAt }: Attempt): readonly Check[] => {
  if (answer === undefined) return skipped([name], 'no response');
  const there = Date.parse(answer.headers['date'] ?? '');
  if (Number.isNaN(there)) return skipped([name], 'the response has no Date header');
  const seconds = Math.round((there - endedAt) / 1000);
  if (Math.abs(seconds) <= maximum) return [passed(name, `within ${maximum} s of this clock`)];
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return [
    warning(
      name,
      `${Math.abs(seconds)} s ${side} this clock`,
      'Correct the wrong clock: the lifetime of tokens depends on it.',
    ),
  ];
};

const named = (scope: Scope | null): string =>
  Object.values<Operation>(operations)
    .filter((operation) => operation.scope === scope)
    .map(({ name }) => name)
    .join(', ');

/** The scopes of one token request. */
type ScopeSet = {
  readonly scopes: readonly Scope[];
  /** The operations and functions that fail without such a token. */
  readonly needs: string;
  /** Whether the functions request this set for every caller. */
  readonly always: boolean;
};

const byAdmins = `${named('returns:write')}, for callers with returns:admin; ${named('returns:admin')}`;

/** The sets of scopes that the functions request, and admin alone. The set for reads is first. */
const scopeSets: readonly ScopeSet[] = [
  { scopes: ['returns:read'], needs: `${named('returns:read')}, health`, always: true },
  { scopes: ['returns:write'], needs: `${named('returns:write')}, process`, always: true },
  { scopes: ['returns:admin'], needs: byAdmins, always: false },
  { scopes: ['returns:write', 'returns:admin'], needs: byAdmins, always: false },
];

const nameOfSet = ({ scopes }: ScopeSet): string => `scope ${scopes.join(' ')}`;

const clockName = 'clock of the token endpoint';

export const tokenChecks = ['token endpoint', 'token', 'token lifetime', ...scopeSets.map(nameOfSet), clockName];

const minLifetimeSeconds = 300;
const maxSeconds = 24 * 60 * 60;

type TokenCheckOptions = {
  readonly credentials: Credentials;
  /** The variable, or the field of the secret, that holds the URL of the token endpoint. */
  readonly addressedBy: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

const peerOf = ({ credentials: { tokenUrl, identity }, addressedBy }: TokenCheckOptions): Peer => ({
  name: 'the token endpoint',
  variable: addressedBy,
  url: tokenUrl,
  identified: identity.thumbprint !== '',
});

/** The outcome of one token request: a token, a failure of the response, or neither without a response. */
type TokenAttempt = {
  readonly set: ScopeSet;
  readonly tried: Attempt;
  readonly issued?: IssuedToken;
  readonly failure?: TokenFailure;
};

const requestOnce = async (options: TokenCheckOptions, set: ScopeSet): Promise<TokenAttempt> => {
  const { clock } = options;
  const { scopes } = set;
  using limit = deadline(clock, tokenLimit, options.signal);
  const tried = await attempt(clock, () => sendTokenRequest({ ...options, scopes, signal: limit.signal }));
  if (tried.answer === undefined) return { set, tried };
  const outcome = parseIssuedToken(tried.answer, { ...options, scopes });
  return outcome.ok ? { set, tried, issued: outcome.value } : { set, tried, failure: outcome.failure };
};

const mayContinue = ({ issued, failure }: TokenAttempt): boolean =>
  issued !== undefined || (failure !== undefined && isAboutScope(failure));

/** Requests a token for each set of scopes. Stops after a rejection of the client, which might lock it out. */
const requestAll = async (options: TokenCheckOptions): Promise<readonly TokenAttempt[]> => {
  const attempts: TokenAttempt[] = [];
  for (const set of scopeSets) {
    const tokenAttempt = await requestOnce(options, set);
    attempts.push(tokenAttempt);
    if (!mayContinue(tokenAttempt)) break;
  }
  return attempts;
};

const explain = ({ tried, failure }: TokenAttempt, peer: Peer): Explanation | undefined => {
  if (tried.answer === undefined) return explainTransport(tried.error, peer);
  return failure === undefined ? undefined : explainTokenFailure(failure, peer.variable);
};

const endpointCheck = ({ tried }: TokenAttempt, peer: Peer): Check => {
  const name = 'token endpoint';
  if (tried.answer === undefined) {
    const { detail, remedy } = explainTransport(tried.error, peer);
    return failed(name, detail, remedy);
  }
  const secured = peer.url.startsWith('https:') ? ', certificate verified' : '';
  return passed(name, `${peer.url} answered ${tried.answer.status} after ${tried.ms} ms${secured}`);
};

const lifetimeCheck = ({ tried }: TokenAttempt, { lifetimeMs }: IssuedToken, serviceAccess: ServiceAccess): Check => {
  const name = 'token lifetime';
  const seconds = lifetimeMs / 1000;
  const json = parseObject(tried.answer?.body.toString('utf8') ?? '');
  const stated = json && tokenField(json, 'expires_in', serviceAccess);
  const field = serviceAccess.tokenFields.expires_in ?? 'expires_in';
  const remedy = `Configure the identity provider to issue tokens for 3600 s, with ${field} as a number of seconds.`;
  if (stated === undefined)
    return warning(
      name,
      `${field} is missing; the functions assume ${seconds} s`,
      `${remedy} If it sends none, set TOKEN_LIFETIME to the lifetime that it documents.`,
    );
  if (seconds === 0) return warning(name, `${field} is unusable: every call requests its own token`, remedy);
  if (seconds < minLifetimeSeconds) return warning(name, `${seconds} s: tokens are requested often`, remedy);
  if (Number(stated) > maxSeconds) return warning(name, `longer than a day; used for ${seconds} s`, remedy);
  return passed(name, `${seconds} s`);
};

const issuedChecks = (
  attempts: readonly TokenAttempt[],
  peer: Peer,
  { serviceAccess }: Credentials,
): readonly Check[] => {
  const good = attempts.find(({ issued }) => issued !== undefined);
  if (good?.issued !== undefined) {
    const type = serviceAccess.tokenScheme || 'no scheme';
    return [
      passed('token', `sent as ${type} in ${serviceAccess.tokenHeader}, after ${good.tried.ms} ms`),
      lifetimeCheck(good, good.issued, serviceAccess),
    ];
  }
  const failure = attempts.at(-1)?.failure;
  if (failure === undefined) return skipped(['token', 'token lifetime'], 'no response');
  const { detail, remedy } = explainTokenFailure(failure, peer.variable);
  return [failed('token', detail, remedy), ...skipped(['token lifetime'], 'there is no token')];
};

const scopeChecks = (
  set: ScopeSet,
  requested: TokenAttempt | undefined,
  peer: Peer,
  { serviceAccess }: Credentials,
): readonly Check[] => {
  const name = nameOfSet(set);
  if (requested === undefined) return skipped([name], 'not requested after the failure above');
  const explanation = explain(requested, peer);
  if (explanation === undefined) {
    const [ours, theirs] = [set.scopes.join(' '), scopeWords(serviceAccess, set.scopes).join(' ')];
    return [passed(name, ours === theirs ? 'granted' : `granted as ${theirs || 'a request without scope'}`)];
  }
  if (!mayContinue(requested) && requested.set === scopeSets[0]) return skipped([name], 'there is no token');
  const report = set.always ? failed : warning;
  return [report(name, `${explanation.detail}; affected: ${set.needs}`, explanation.remedy)];
};

/** Checks the token endpoint, the client and its scopes. The value is a token with returns:read. */
export const checkToken = async (options: TokenCheckOptions): Promise<CheckedValue<Redacted>> => {
  const attempts = await requestAll(options);
  const [first] = attempts;
  const peer = peerOf(options);
  if (first === undefined) return { checks: skipped(tokenChecks, 'not requested'), value: undefined };
  return {
    checks: [
      endpointCheck(first, peer),
      ...issuedChecks(attempts, peer, options.credentials),
      ...scopeSets.flatMap((set) =>
        scopeChecks(
          set,
          attempts.find((attempt) => attempt.set === set),
          peer,
          options.credentials,
        ),
      ),
      ...checkClock(clockName, first.tried),
    ],
    value: first.issued?.token,
  };
};
