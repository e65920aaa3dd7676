import { setTimeout as pause } from 'node:timers/promises';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { OperationName } from '../../contract/contract.ts';
import { errorName, log } from '../../runtime/log.ts';
import { sha256Of } from '../../domain/returns/history/canonical-json.ts';
import { SecretUnavailable } from '../../access/secrets/secret.ts';
import {
  idempotencyCondition,
  readStoredResponse,
  writeStoredResponse,
  type KeyedRequest,
} from '../../store/returns/idempotency.ts';
import { TooLargeError } from '../../store/engine/pack.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { transact, type Outcome, type Write } from '../../store/engine/transact.ts';
import { isUnavailable } from '../../store/engine/client.ts';
import { type NameWrites, prepareUserName } from '../../store/personal/user-names.ts';
import { NewerRelease } from '../../store/engine/readable.ts';
import { type Call, callerParts, type Reply } from '../../contract/port.ts';
import { recordNoActor } from '../../contract/record-no-actor.ts';
import { keyReused } from './failures.ts';

/** The writes of a command, and its reply after they are written. */
export type Plan<Body> = {
  readonly reply: Reply<Body>;
  /** The stored response for repeats, when it is not the whole reply. */
  readonly stored?: object;
  readonly writes: readonly Write[];
};

type LostRace = Extract<Outcome, { written: false }>;

/** The maximum number of attempts after conflicts. Each attempt reads everything again. */
const maxTries = 25;
/** The part of the deadline that is reserved to send the response. */
const marginMs = 300;

/** Hashes what distinguishes one request from another, including the person in `onBehalfOf`. */
export const fingerprint = (operation: OperationName, input: object, onBehalfOf?: string): string =>
  sha256Of({ operation, input, onBehalfOf });

const requestOf = (operation: OperationName, input: object, call: Call): KeyedRequest | undefined =>
  call.idempotencyKey === undefined || call.dryRun
    ? undefined
    : {
        owner: callerParts(call.caller),
        key: call.idempotencyKey,
        fingerprint: fingerprint(operation, input, call.caller.onBehalfOf),
      };

/** Rebuilds a reply from its stored response. */
type Restore<Body> = (session: Session, stored: unknown) => Promise<Reply<Body>>;

/** Returns the stored response, which is the whole reply. */
const restoreWholeReply = async <Body>(_: Session, stored: unknown): Promise<Reply<Body>> => stored as Reply<Body>;

/**
 * Returns the stored response of this key; undefined for a new key.
 * It is a failure when another request used the key.
 */
const replayResponse = async <Body>(
  session: Session,
  request: KeyedRequest | undefined,
  restore: Restore<Body>,
): Promise<Result<Reply<Body>> | undefined> => {
  if (request === undefined) return undefined;
  const earlier = await readStoredResponse(session, request, Date.now());
  if (earlier === undefined) return undefined;
  if (earlier.fingerprint !== request.fingerprint) return fail(keyReused);
  return ok({ ...(await restore(session, earlier.answer)), replayed: true });
};

/** Distinguishes a key that a concurrent repeat holds from other write conflicts. */
const contentionFailure = ({ failed, busy }: LostRace): Failure =>
  [...failed, ...busy].includes(idempotencyCondition)
    ? {
        code: 'idempotency_key_in_progress',
        detail: 'A request with this key is in progress. Repeat it with the same key.',
        retryAfterSeconds: 1,
      }
    : { code: 'dependency_unavailable', detail: 'Too many concurrent writes. Try again.', retryAfterSeconds: 1 };

type MakePlan<Body> = (session: Session) => Promise<Result<Plan<Body>>>;
type PlanSteps<Body> = {
  readonly plan: MakePlan<Body>;
  readonly restore: Restore<Body>;
  /** Returns what goes with the writes of the plan, and is known to be stored after them. */
  readonly names: NameWrites;
};

/** Plans a command and writes the plan, once. Returns the lost race when a condition of the writes failed. */
const attempt = async <Body>(
  session: Session,
  request: KeyedRequest | undefined,
  dryRun: boolean,
  { plan, restore, names }: PlanSteps<Body>,
): Promise<Result<Reply<Body>> | LostRace> => {
  const planned = await plan(session);
  // The key comes first. A repeat often fails on the state that its first run left.
  if (!planned.ok) return (await replayResponse(session, request, restore)) ?? planned;
  const { reply, stored = reply, writes } = planned.value;
  // The first response counts while it is stored.
  if (reply.replayed === true) return (await replayResponse(session, request, restore)) ?? ok(reply);
  if (dryRun || (writes.length === 0 && request === undefined)) return ok(reply);
  // A plan without writes also uses its key: later it might change something.
  const earlier = writes.length === 0 ? await replayResponse(session, request, restore) : undefined;
  if (earlier !== undefined) return earlier;
  const remembered = request === undefined ? [] : [writeStoredResponse(request, stored, Date.now())];
  const outcome = await transact(session, [...writes, ...remembered, ...(writes.length === 0 ? [] : names.writes)]);
  if (!outcome.written) return (await replayResponse(session, request, restore)) ?? outcome;
  if (writes.length > 0) names.stored();
  return ok(reply);
};

const storeFailure = (error: unknown, { signal }: Session): Failure | undefined => {
  if (error instanceof TooLargeError) {
    const detail = 'The texts are too long to store. Use shorter texts or fewer lines.';
    return { code: 'payload_too_large', detail };
  }
  if (error instanceof NewerRelease) {
    const detail = 'A newer release of the service wrote this data. Complete its deployment, then try again.';
    return { code: 'dependency_unavailable', detail, retryAfterSeconds: 30 };
  }
  if (signal.aborted) return { code: 'timeout', detail: 'The store did not respond in time. Try again.' };
  if (error instanceof SecretUnavailable) {
    const detail = 'The keys of histories, receipts or the search cannot be read. Try again.';
    return { code: 'dependency_unavailable', detail, retryAfterSeconds: 1 };
  }
  return isUnavailable(error)
    ? { code: 'dependency_unavailable', detail: 'The store cannot be reached. Try again.', retryAfterSeconds: 1 }
    : undefined;
};

/** Opens the store for a call. An unreachable or slow store and an item above the size limit become failures. */
export const withStore = async <Value>(
  call: Call,
  run: (session: Session) => Promise<Result<Value>>,
): Promise<Result<Value>> => {
  using session = openSession(call.deadline - marginMs);
  try {
    return await run(session);
  } catch (error) {
    const failure = storeFailure(error, session);
    if (failure === undefined) throw error;
    log('error', 'store failed', { traceId: call.traceId, code: failure.code, error: errorName(error) });
    return fail(failure);
  }
};

/**
 * Runs a command that needs more than one transaction, in repeatable steps.
 * The response is stored for the key after the last step. So a repeat of an interrupted command continues it.
 */
export const executeInSteps = async <Body>(
  operation: OperationName,
  input: object,
  call: Call,
  run: (session: Session) => Promise<Result<Reply<Body>>>,
): Promise<Result<Reply<Body>>> =>
  withStore(call, async (session) => {
    const request = requestOf(operation, input, call);
    const earlier = await replayResponse<Body>(session, request, restoreWholeReply);
    if (earlier !== undefined) return earlier;
    const done = await run(session);
    if (!done.ok || request === undefined) return done;
    const outcome = await transact(session, [writeStoredResponse(request, done.value, Date.now())]);
    if (outcome.written) return done;
    // A concurrent run of the same request has written it. Its response is valid for both.
    return (await replayResponse<Body>(session, request, restoreWholeReply)) ?? fail(contentionFailure(outcome));
  });

/**
 * Runs a command: `plan` reads and decides, and one transaction writes the result.
 * After a write conflict it plans again on the current state. A repeated idempotency key returns the stored
 * response.
 *
 * @param restore for plans that do not store the whole reply
 */
export const execute = async <Body>(
  operation: OperationName,
  input: object,
  call: Call,
  plan: MakePlan<Body>,
  restore: Restore<NoInfer<Body>> = restoreWholeReply,
): Promise<Result<Reply<Body>>> =>
  withStore(call, async (session) => {
    // Before the plan, whose entries hold the digest of the name. A dry run stores no entry.
    const isRecorded = !call.dryRun && !recordNoActor.has(operation);
    const names = await prepareUserName(session, isRecorded ? call.caller.user : undefined);
    const request = requestOf(operation, input, call);
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(session, request, call.dryRun, { plan, restore, names });
      if ('ok' in outcome) return outcome;
      if (tries === maxTries) return fail(contentionFailure(outcome));
      await pause(Math.random() * Math.min(250, 10 * 2 ** tries), undefined, { signal: session.signal });
    }
  });
