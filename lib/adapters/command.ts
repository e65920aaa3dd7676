import { type Call, callerParts, type Reply } from '../contract/port.ts';
import type { Failure, Result } from '../contract/result.ts';
import { sha256Of } from '../domain/returns/history/canonical-json.ts';
import { sha256 } from '../runtime/hash.ts';
import type { JsonObject } from '../runtime/json.ts';
import { errorName, log } from '../runtime/log.ts';
import { fail, ok } from '../runtime/result.ts';
import {
  type JournalEntry,
  type JournalledCommand,
  readEntry,
  removeEntry,
  writeEntry,
  writeSent,
} from '../store/connected/journal.ts';
import { isUnavailable } from '../store/engine/client.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { completeReturn } from './actions.ts';
import { OperationFailure, unknownEffect } from './failure.ts';
import {
  answerOf,
  draining,
  failureOf,
  type Offered,
  type Parts,
  type RunnableMapping,
  unsupportedFailure,
} from './run.ts';
import type { Service } from './send.ts';
import { openService } from './service.ts';
import { countWrites, type WriteProgress } from './writes.ts';

/* A command has at most one effect at the service, although the service may know no idempotency keys. */

type Repeat =
  | { readonly rule: 'header'; readonly header: string }
  | { readonly rule: 'natural key' }
  | { readonly rule: 'read first'; readonly find: (input: never, service: Service) => Promise<unknown> }
  | { readonly rule: 'never' };

export type OfferedCommand = Omit<Offered, 'mapping'> & {
  readonly mapping: RunnableMapping & { readonly repeat: Repeat };
};

type Command = JournalledCommand & {
  readonly offered: OfferedCommand;
  readonly input: JsonObject;
  readonly call: Call;
  readonly session: Session;
  readonly progress: WriteProgress;
  /** `endsAt` of the row of the journal that this request works on. */
  journalledUntil?: number;
};

/** A command answers with its return. */
const parts: Parts = { complete: completeReturn };

/** The part of the deadline that is reserved for the journal and the answer. */
const marginMs = 300;
const reused: Failure = {
  code: 'idempotency_key_reused',
  detail: 'Another request used this Idempotency-Key. Send a new key with a new request.',
};
const inProgress: Failure = {
  code: 'idempotency_key_in_progress',
  detail: 'A request with this key is in progress. Repeat it with the same key.',
  retryAfterSeconds: 1,
};
const notCarriedOut: Failure = {
  code: 'dependency_unavailable',
  detail: 'The Returns Service has not carried out the request, and nothing of it is left there. Repeat it.',
  retryAfterSeconds: 1,
};
const storeUnavailable: Failure = {
  code: 'dependency_unavailable',
  detail: 'The journal of commands cannot be reached, so nothing was sent. Try again.',
  retryAfterSeconds: 1,
};

/** Whether a repeat may be sent again: the service itself then finds the first request. */
const isResendable = ({ rule }: Repeat): boolean => rule === 'header' || rule === 'natural key';

const upstreamKey = ({ owner, key }: JournalledCommand): string => sha256(JSON.stringify([...owner, key]), 'base64url');

/** Writes the row before the first write leaves. A second request with the key stops here. */
const journalling = (command: Command, isRepeat: boolean) => {
  const { session, call } = command;
  const write = async (): Promise<void> => {
    const now = Date.now();
    const written = isRepeat
      ? writeEntry(session, command, { endsAt: call.deadline }, now).then(() => true)
      : writeSent(session, command, call.deadline, now);
    const isOurs = await written.catch((error: unknown) => {
      log('error', 'journal not written', { traceId: call.traceId, error: errorName(error) });
      // The row of a first request may be there, and its answer lost. A repeat keeps what the first has written.
      if (!isRepeat) command.journalledUntil = call.deadline;
      throw new OperationFailure(storeUnavailable);
    });
    if (!isOurs) throw new OperationFailure(inProgress);
    command.journalledUntil = call.deadline;
  };
  let writing: Promise<void> | undefined;
  return () => (writing ??= write());
};

const openFor = (command: Command, begin?: () => Promise<void>): Service => {
  const { offered, progress } = command;
  const { adapter, operation, mapping } = offered;
  const { repeat } = mapping;
  const key = upstreamKey(command);
  const call = { ...command.call, deadline: command.call.deadline - marginMs };
  const writes = countWrites({ call, progress }, begin, {
    repeatable: isResendable(repeat),
    headers: repeat.rule === 'header' ? { [repeat.header.toLowerCase()]: key } : {},
  });
  return openService({ rules: adapter, operation, call, key, writes, progress });
};

/** Reads whether the effect of a sent command is there; undefined when that stays unknown. */
const findEffect = async (command: Command): Promise<Result<Reply<never>> | 'no effect' | undefined> => {
  const { offered, input, call } = command;
  const { repeat } = offered.mapping;
  if (repeat.rule !== 'read first') return undefined;
  try {
    const found = await repeat.find(input as never, openFor(command));
    return found === undefined || found === 'no effect' ? found : answerOf(offered, parts, input, found);
  } catch (error) {
    log('warn', 'effect not read', {
      operation: offered.operation.name,
      traceId: call.traceId,
      error: errorName(error),
    });
    return undefined;
  }
};

/** Changes the journal after the service has acted. A failure only costs a repeat a read. */
const afterwards = async (command: Command, change: (endsAt: number) => Promise<void>): Promise<void> => {
  try {
    if (command.journalledUntil !== undefined) await change(command.journalledUntil);
  } catch (error) {
    log('warn', 'journal not written', { traceId: command.call.traceId, error: errorName(error) });
  }
};

/** Stores an answer for repeats. Without it, a repeat reads the effect. */
const remember = (command: Command, reply: Reply<never>): Promise<void> =>
  afterwards(command, () => writeEntry(command.session, command, { endsAt: Date.now(), answer: reply }, Date.now()));

/** Ends a command without an effect: its key may be used again. */
const failWithoutEffect = async (command: Command, failure: Failure): Promise<Result<Reply<never>>> => {
  await afterwards(command, (endsAt) => removeEntry(command.session, command, endsAt));
  return fail(failure);
};

/** Reads the effect of a command that was sent, and answers with it. */
const answerByEffect = async (command: Command, failure?: Failure): Promise<Result<Reply<never>>> => {
  const found = await findEffect(command);
  // A timeout says that the effect is unknown.
  if (found === 'no effect')
    return failWithoutEffect(command, failure === undefined || failure.code === 'timeout' ? notCarriedOut : failure);
  if (found?.ok === true) await remember(command, found.value);
  else await afterwards(command, () => writeEntry(command.session, command, { endsAt: Date.now() }, Date.now()));
  return found ?? fail({ ...unknownEffect, ...(failure?.errors && { errors: failure.errors }) });
};

/** Ends a command whose mapping failed. */
const afterFailure = async (command: Command, error: unknown): Promise<Result<Reply<never>>> => {
  const { offered, progress } = command;
  const failure = failureOf(error, { ...command, operation: offered.operation });
  if (progress.sentWrites > progress.rejectedWrites) return answerByEffect(command, failure);
  // Each write was rejected or stayed here.
  return failWithoutEffect(command, failure);
};

const carryOut = async (command: Command, isRepeat: boolean): Promise<Result<Reply<never>>> => {
  const { offered, input } = command;
  try {
    const mapped = await offered.mapping.run(input as never, openFor(command, journalling(command, isRepeat)));
    const answer = answerOf(offered, parts, input, mapped);
    if (answer.ok) await remember(command, answer.value);
    return answer;
  } catch (error) {
    return afterFailure(command, error);
  }
};

/** Answers a repeat of a command that is in the journal. */
const repeated = async (command: Command, entry: JournalEntry): Promise<Result<Reply<never>>> => {
  if (entry.fingerprint !== command.fingerprint) return fail(reused);
  if (entry.answer !== undefined) return ok({ ...(entry.answer as Reply<never>), replayed: true });
  if (Date.now() < entry.endsAt) return fail(inProgress);
  if (isResendable(command.offered.mapping.repeat)) return carryOut(command, true);
  command.journalledUntil = entry.endsAt;
  return answerByEffect(command);
};

const runOnce = async (command: Command): Promise<Result<Reply<never>>> => {
  let entry: JournalEntry | undefined;
  try {
    entry = await readEntry(command.session, command, Date.now());
  } catch (error) {
    if (!isUnavailable(error) && !command.session.signal.aborted) throw error;
    log('error', 'journal not read', { traceId: command.call.traceId, error: errorName(error) });
    return fail(storeUnavailable);
  }
  return entry === undefined ? carryOut(command, false) : repeated(command, entry);
};

/**
 * Makes an operation of the port from a mapping of a command. A row of the journal is bound to the caller, the operation
 * and the input. A repeat that finds a sent command without an answer never sends it again.
 */
export const offerCommand =
  (offered: OfferedCommand) =>
  (input: JsonObject, call: Call): Promise<Result<Reply<never>>> =>
    draining(call, async () => {
      const failure = unsupportedFailure(call);
      if (failure !== undefined) return fail(failure);
      if (call.idempotencyKey === undefined) throw new TypeError('a command needs an idempotency key');
      using session = openSession(call.deadline - marginMs);
      return await runOnce({
        owner: callerParts(call.caller),
        key: call.idempotencyKey,
        fingerprint: sha256Of({ operation: offered.operation.name, input }),
        offered,
        input,
        call,
        session,
        progress: { calls: 0, sentWrites: 0, rejectedWrites: 0 },
      });
    });
