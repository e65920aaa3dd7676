import { setImmediate as nextTurn } from 'node:timers/promises';
import { elapsed, stamp, type Stamp } from '../../../lib/access/net/clock.ts';
import { AccessError } from '../../../lib/access/oauth/access-error.ts';
import type { AccessToken } from '../../../lib/access/oauth/lifetime.ts';
import type { Answer } from '../../support/http-server.ts';
import { clientSecret, type Harness, minute, second, secretNamed, secretText, startHarness } from './harness.ts';
import { type Outage, type Scope, scopes, type Step } from './schedule.ts';

/*
 * A container runs through a schedule. Only slow answers take time of their own: else the schedule moves the clock, and
 * every call ends without it. The checked promises are visible from outside. Each breach is reported as a sentence.
 */

const answers: Readonly<Record<Outage, Answer | undefined>> = {
  status: { status: 503 },
  reset: 'reset',
  down: undefined,
  malformed: { status: 200, body: '<html>' },
  'retry later': { status: 429, headers: { 'retry-after': '20' } },
  none: undefined,
};
/** Shorter than the cache time of a secret, so that a token may be due while its secret is not. */
const lifetime = 600;
const hardAge = 540 * second;

/** The time that passes at once while an answer is slow. */
const tick = 100;
/** What a handler waits for background work, and two steps in which its end arrives. */
const maxSettling = second + 2 * tick;

type Model = {
  readonly harness: Harness;
  outage: Outage;
  /** The time after which the token endpoint answers. */
  slowMs: number;
  /** Answers that are on their way. */
  readonly slow: Set<{ readonly at: Stamp; readonly ms: number; readonly send: () => void }>;
  version: number;
  /** When each token was issued. */
  readonly issued: Map<string, Stamp>;
  /** The token of each scope that was served last and not rejected since. */
  readonly served: Map<Scope, AccessToken>;
  /** How long the token endpoint must get no request, as a caller's failure reported it. */
  readonly pauses: Map<string, { readonly since: Stamp; readonly ms: number }>;
  /** Tries that the token endpoint rejected since it last issued a token. */
  refused: { readonly secret: string; readonly at: Stamp }[];
  /** When callers left a pending request, or it took too long. No caller got its response. */
  left: Stamp[];
  /** Pending requests, by scope. */
  readonly underWay: Map<string, number>;
  readonly breaches: Set<string>;
};

/** Sends the answers that are due. */
const sendDue = ({ slow, harness: { clock } }: Model) => {
  for (const one of slow) if (elapsed(clock, one.at) >= one.ms && slow.delete(one)) one.send();
};

/** Lets time pass while the work waits for a slow answer. */
const passUntil = async <Value>(model: Model, work: Promise<Value>): Promise<Value> => {
  const progress = { isDone: false };
  const ending = work.finally(() => {
    progress.isDone = true;
  });
  for (;;) {
    // A message that is on its way arrives before time passes.
    for (let turn = 0; turn < 3 && !progress.isDone; turn += 1) await nextTurn();
    if (progress.isDone) return ending;
    if (model.slow.size > 0) model.harness.clock.advance(tick);
    sendDue(model);
  }
};

const secretOf = (version: number) => (version === 1 ? clientSecret : secretNamed(`${version}`));
const add = (counts: Map<string, number>, key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);

const checkArrival = (model: Model, scope: string) => {
  const { harness, breaches, pauses, underWay } = model;
  if ((underWay.get(scope) ?? 0) > 1) breaches.add(`two requests for ${scope} at once`);
  const pause = pauses.get(scope);
  if (pause !== undefined && elapsed(harness.clock, pause.since) < Math.floor(pause.ms))
    breaches.add(`a request for ${scope} in a pause of ${pause.ms} ms`);
};

/** Notes a rejected try. The client must give no server a reason to lock it out. */
const noteRejection = (model: Model, secret: string, arrival: Stamp) => {
  const { clock } = model.harness;
  const isRecent = (at: Stamp) => elapsed(clock, at) < minute;
  model.refused = [...model.refused.filter(({ at }) => isRecent(at)), { secret, at: arrival }];
  model.left = model.left.filter(isRecent);
  const versions = new Set(model.refused.map((one) => one.secret)).size;
  if (versions > 3) model.breaches.add('more than three secrets tried in a minute');
  // Tokens of both scopes may be due together while their secret still counts as good.
  // A slow answer gets a second request beside it.
  const each = model.slowMs > 0 ? 2 : 1;
  if (model.refused.filter((one) => one.secret === secret).length > each * scopes.length + model.left.length)
    model.breaches.add('a refused secret tried again within a minute');
};

/** Observes the token endpoint. Each response takes a moment, so that requests can overlap. */
const watch = (model: Model) => {
  const { idp, clock } = model.harness;
  idp.always = async ({ body }) => {
    const form = new URLSearchParams(body);
    const scope = form.get('scope') ?? '';
    const secret = form.get('client_secret') ?? '';
    const at = stamp(clock);
    // A caller may leave, and hours may pass, before the response is sent. The state at the arrival decides.
    const isKnown = idp.accepted.has(secret);
    if (model.slowMs === 0) add(model.underWay, scope, 1);
    checkArrival(model, scope);
    if (model.slowMs === 0) {
      await nextTurn();
      add(model.underWay, scope, -1);
    } else {
      const { slow, slowMs: ms } = model;
      await new Promise<void>((send) => void slow.add({ at, ms, send }));
    }
    const instead = answers[model.outage];
    if (instead !== undefined) return instead;
    if (!isKnown) {
      noteRejection(model, secret, at);
      return { status: 400, body: JSON.stringify({ error: 'invalid_client' }) };
    }
    model.refused = [];
    const text = `token-${model.issued.size}`;
    model.issued.set(text, at);
    return { status: 200, body: JSON.stringify({ access_token: text, token_type: 'Bearer', expires_in: lifetime }) };
  };
};

/** Notes the result of a caller: a token or an error. */
const note = (model: Model, scope: Scope, got: unknown, startedAt: number) => {
  const { harness, breaches, served, pauses, issued } = model;
  if (got instanceof AccessError) {
    const { retryAfterMs, kind } = got;
    if (retryAfterMs !== undefined && kind !== 'ApiUnauthorized')
      pauses.set(scope, { since: stamp(harness.clock), ms: retryAfterMs });
    return;
  }
  if (got instanceof Error) return void breaches.add(`an error of no type: ${got.message}`);
  const token = got as AccessToken;
  const at = issued.get(token.token.reveal());
  pauses.delete(scope);
  served.set(scope, token);
  const fresh = at !== undefined && at.monotonic >= startedAt;
  if (at === undefined || (!fresh && elapsed(harness.clock, at) >= hardAge)) breaches.add('a token served past H');
};

const isValid = ({ harness, served, issued }: Model, scope: Scope) => {
  const at = issued.get(served.get(scope)?.token.reveal() ?? '');
  return at !== undefined && elapsed(harness.clock, at) < hardAge;
};

const outcome = async (request: () => AccessToken | Promise<AccessToken>): Promise<unknown> => {
  try {
    return await request();
  } catch (error) {
    return error;
  }
};

const until = ({ harness }: Model) => harness.clock.now() + 30 * second;

const call = async (model: Model, scope: Scope, times: number) => {
  const { access, clock } = model.harness;
  const valid = isValid(model, scope);
  const startedAt = clock.monotonic();
  const all = Array.from({ length: times }, () => outcome(() => access.token([scope], until(model))));
  for (const got of await passUntil(model, Promise.all(all))) {
    if (valid && got instanceof Error) model.breaches.add('a call failed that had a valid token');
    if (valid && clock.monotonic() > startedAt) model.breaches.add('a call waited that had a valid token');
    note(model, scope, got, startedAt);
    if (!(got instanceof Error)) access.acceptToken([scope], got as AccessToken);
  }
};

const revoke = async (model: Model, scope: Scope) => {
  const { access, clock } = model.harness;
  const rejected = model.served.get(scope);
  if (rejected === undefined) return;
  model.served.delete(scope);
  const startedAt = clock.monotonic();
  const replaced = outcome(() => access.replaceToken([scope], rejected, until(model)));
  const got = await passUntil(model, replaced);
  if (got === rejected) model.breaches.add('a refused token served again');
  // After "replaced just now" the container leaves the token in use.
  if (got instanceof AccessError && got.kind === 'ApiUnauthorized') model.served.set(scope, rejected);
  note(model, scope, got, startedAt);
};

const abort = async (model: Model, { scope, when }: Extract<Step, { kind: 'abort' }>) => {
  const { access, clock, idp, secrets } = model.harness;
  const { requests, received } = when === 'token' ? idp.server : secrets.server;
  const requested = when === 'at once' ? undefined : received(requests.length + 1);
  const controller = new AbortController();
  const startedAt = clock.monotonic();
  const leaving = outcome(() => access.token([scope], until(model), controller.signal));
  const reason = new Error('no longer wanted');
  await passUntil(model, Promise.race([requested, leaving]));
  if (when === 'token' || model.slow.size > 0) model.left.push(stamp(clock));
  controller.abort(reason);
  const got = await passUntil(model, leaving);
  if (got !== reason) note(model, scope, got, startedAt);
};

const breakDown = async (model: Model, how: Outage) => {
  const { server } = model.harness.idp;
  if (model.outage === 'down') await server.rise();
  if (how === 'down') await server.fall();
  model.outage = how;
};

const know = ({ harness: { idp }, version }: Model, current: boolean) => {
  idp.accepted.clear();
  if (current) idp.accepted.add(secretOf(version));
};

const rotate = (model: Model) => {
  const { idp, rotate: store } = model.harness;
  model.version += 1;
  const secret = secretOf(model.version);
  store(`v${model.version}`, secretText(secret));
  idp.accepted.add(secret);
};

const settle = async (model: Model) => {
  const { access, clock } = model.harness;
  const startedAt = clock.monotonic();
  await passUntil(model, access.drain(10 * second));
  if (clock.monotonic() - startedAt > maxSettling) model.breaches.add('a handler waited for more than a second');
};

/** Moves the clock. An answer that is on its way may come too late. */
const move = (model: Model, by: 'advance' | 'freeze', ms: number) => {
  const { clock } = model.harness;
  for (let count = 0; count < model.slow.size; count += 1) model.left.push(stamp(clock));
  clock[by](ms);
  sendDue(model);
};

const take = async (model: Model, step: Step): Promise<void> => {
  const { secrets } = model.harness;
  switch (step.kind) {
    case 'advance':
      return move(model, 'advance', step.ms);
    case 'freeze':
      await settle(model);
      return move(model, 'freeze', step.ms);
    case 'correct':
      return move(model, 'freeze', step.ms);
    case 'slow':
      return void (model.slowMs = step.ms);
    case 'outage':
      return breakDown(model, step.how);
    case 'secrets':
      return void (secrets.fault = step.down ? { status: 500 } : undefined);
    case 'rotate':
      return rotate(model);
    case 'know':
      return know(model, step.current);
    case 'call':
      return call(model, step.scope, step.count);
    case 'revoke':
      return revoke(model, step.scope);
    case 'abort':
      return abort(model, step);
    case 'settle':
      return settle(model);
  }
};

/**
 * Checks that each scope has its token in a repaired world, once every pause is over. Where every version of the secret
 * was rejected, a version that the server accepts later is tried again within 20 min.
 */
const recover = async (model: Model) => {
  const { secrets, clock } = model.harness;
  model.slowMs = 0;
  await settle(model);
  await breakDown(model, 'none');
  know(model, true);
  secrets.fault = undefined;
  clock.advance(300 * second);
  for (let minutes = 0; minutes < 20 && !scopes.every((scope) => isValid(model, scope)); minutes += 1) {
    for (const scope of scopes) await call(model, scope, 1);
    clock.advance(minute);
  }
  for (const scope of scopes) {
    await call(model, scope, 1);
    if (!isValid(model, scope)) model.breaches.add(`no token for ${scope} after all was mended`);
  }
};

const leaveNothing = async (model: Model) => {
  const { access, clock } = model.harness;
  await settle(model);
  if (clock.running().length > 0) model.breaches.add('a timer left behind');
  await access.close();
};

/** Returns the breaches of a container in a schedule, each once. */
export const liveThrough = async (schedule: readonly Step[]): Promise<readonly string[]> => {
  await using harness = await startHarness();
  const model: Model = {
    harness,
    outage: 'none',
    slowMs: 0,
    slow: new Set(),
    version: 1,
    issued: new Map(),
    served: new Map(),
    pauses: new Map(),
    refused: [],
    left: [],
    underWay: new Map(),
    breaches: new Set(),
  };
  watch(model);
  for (const step of schedule) await take(model, step);
  await settle(model);
  await recover(model);
  await leaveNothing(model);
  return [...model.breaches];
};
