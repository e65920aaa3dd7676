import { parseObject } from '../../runtime/json.ts';
import type { Clock } from '../../net/clock.ts';
import type { Credentials } from '../../oauth/client-credentials.ts';
import { sendTokenRequest } from '../../oauth/token-request.ts';
import type { TokenFault } from '../../oauth/outcome.ts';
import { parseTokenResponse, type IssuedToken } from '../../oauth/token-response.ts';
import type { Redacted } from '../../secrets/redacted.ts';
import { attempt, type Attempt } from './attempt.ts';
import { failed, passed, skipped, warning, type Check, type Findings } from '../check.ts';
import { checkClock } from './clock-check.ts';
import { nameOfSet, scopeSets, type ScopeSet } from './scopes.ts';
import { explainFault, isAboutScope } from './token-fault.ts';
import { explainTransport, type Peer, type Told } from './transport.ts';

const clockName = 'clock of the token endpoint';

export const tokenChecks = ['token endpoint', 'token', 'token lifetime', ...scopeSets.map(nameOfSet), clockName];

const shortest = 300;
const longest = 24 * 60 * 60;

type Asking = {
  readonly credentials: Credentials;
  /** What tells where the token endpoint is: a variable, or a field of the secret. */
  readonly addressedBy: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

const peerOf = ({ credentials: { tokenUrl, identity }, addressedBy }: Asking): Peer => ({
  name: 'the token endpoint',
  variable: addressedBy,
  url: tokenUrl,
  identified: identity.thumbprint !== '',
});

/** What became of one request for a token: a token, a fault of the answer, or neither without an answer. */
type Asked = {
  readonly set: ScopeSet;
  readonly tried: Attempt;
  readonly issued?: IssuedToken;
  readonly fault?: TokenFault;
};

const ask = async (asking: Asking, set: ScopeSet): Promise<Asked> => {
  const { clock } = asking;
  const { scopes } = set;
  const tried = await attempt(clock, () => sendTokenRequest({ ...asking, scopes }));
  if (tried.answer === undefined) return { set, tried };
  const outcome = parseTokenResponse(tried.answer, scopes, clock.now());
  return outcome.ok ? { set, tried, issued: outcome.value } : { set, tried, fault: outcome.fault };
};

const goesOn = ({ issued, fault }: Asked): boolean =>
  issued !== undefined || (fault !== undefined && isAboutScope(fault));

/** Asks once for each set of scopes. After a fault that is not about scopes no more: it might lock the client out. */
const askForAll = async (asking: Asking): Promise<readonly Asked[]> => {
  const all: Asked[] = [];
  for (const set of scopeSets) {
    const asked = await ask(asking, set);
    all.push(asked);
    if (!goesOn(asked)) break;
  }
  return all;
};

const explain = ({ tried, fault }: Asked, peer: Peer): Told | undefined => {
  if (tried.answer === undefined) return explainTransport(tried.error, peer);
  return fault === undefined ? undefined : explainFault(fault, peer.variable);
};

const endpointCheck = ({ tried }: Asked, peer: Peer): Check => {
  const name = 'token endpoint';
  if (tried.answer === undefined) {
    const { detail, remedy } = explainTransport(tried.error, peer);
    return failed(name, detail, remedy);
  }
  const secured = peer.url.startsWith('https:') ? ', its certificate verified' : '';
  return passed(name, `${peer.url} answered ${tried.answer.status} after ${tried.ms} ms${secured}`);
};

const lifetimeCheck = ({ tried }: Asked, { lifetimeMs }: IssuedToken): Check => {
  const name = 'token lifetime';
  const seconds = lifetimeMs / 1000;
  const stated = parseObject(tried.answer?.body.toString('utf8') ?? '')?.['expires_in'];
  const remedy = 'Have the identity provider issue tokens for 3600 s, and say so in expires_in as a number of seconds.';
  if (stated === undefined || stated === null)
    return warning(name, `expires_in is missing: ${seconds} s are assumed`, remedy);
  if (seconds === 0) return warning(name, 'expires_in says nothing: every call asks for a token of its own', remedy);
  if (seconds < shortest) return warning(name, `${seconds} s: tokens are asked for often`, remedy);
  if (Number(stated) > longest) return warning(name, `longer than a day: used for ${seconds} s`, remedy);
  return passed(name, `${seconds} s`);
};

const issuedChecks = (all: readonly Asked[], peer: Peer): readonly Check[] => {
  const good = all.find(({ issued }) => issued !== undefined);
  if (good?.issued !== undefined) {
    return [passed('token', `of the type Bearer, after ${good.tried.ms} ms`), lifetimeCheck(good, good.issued)];
  }
  const fault = all.at(-1)?.fault;
  if (fault === undefined) return skipped(['token', 'token lifetime'], 'there is no answer');
  const { detail, remedy } = explainFault(fault, peer.variable);
  return [failed('token', detail, remedy), ...skipped(['token lifetime'], 'there is no token')];
};

const scopeChecks = (set: ScopeSet, asked: Asked | undefined, peer: Peer): readonly Check[] => {
  const name = nameOfSet(set);
  if (asked === undefined) return skipped([name], 'not asked for after what went before');
  const told = explain(asked, peer);
  if (told === undefined) return [passed(name, 'granted')];
  if (!goesOn(asked) && asked.set === scopeSets[0]) return skipped([name], 'there is no token');
  const report = set.always ? failed : warning;
  return [report(name, `${told.detail}; without it fails: ${set.needs}`, told.remedy)];
};

/** Whether the token endpoint is there, knows the client and grants what the functions ask for; the value is a read token. */
export const checkToken = async (asking: Asking): Promise<Findings<Redacted>> => {
  const all = await askForAll(asking);
  const [first] = all;
  const peer = peerOf(asking);
  if (first === undefined) return { checks: skipped(tokenChecks, 'not asked for'), value: undefined };
  return {
    checks: [
      endpointCheck(first, peer),
      ...issuedChecks(all, peer),
      ...scopeSets.flatMap((set) =>
        scopeChecks(
          set,
          all.find((asked) => asked.set === set),
          peer,
        ),
      ),
      ...checkClock(clockName, first.tried),
    ],
    value: first.issued?.token,
  };
};
