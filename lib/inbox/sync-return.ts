import type { Call, Reply } from '../contract/port.ts';
import { ok, type Failure, type Result } from '../contract/result.ts';
import type { Input, Output } from '../contract/contract.ts';
import { nextStep, type SyncStep } from '../platforms/shared/sync/next-step.ts';
import type { RemoteRefund, RemoteReturn } from '../platforms/shared/sync/remote-return.ts';
import type { ShopFailure } from '../platforms/platform.ts';
import { sha256 } from '../runtime/hash.ts';
import type { InboxBackend } from './backend.ts';

type LocalReturn = Output<'getReturn'>;

/** More than any return takes: each kind of step twice, and a look at the goods for every few of its lines. */
const maxSteps = 50;
/** Somebody else may move the return while we do. */
const maxRaces = 5;

/** Of all that is sent, so that what the platform has changed between two attempts is not taken for the same. */
const idempotencyKeyOf = (...sent: readonly unknown[]): string => `inbox-${sha256(JSON.stringify(sent), 'base64url')}`;

const observationOf = ({ platform, externalId }: RemoteReturn, occurredAt: string) => ({
  platform,
  externalId,
  occurredAt,
});

/** How a return begins here; all else follows step by step. */
const createRequestOf = (seen: RemoteReturn): Input<'createReturn'> => ({
  order: { platform: seen.platform, orderId: seen.orderId },
  lines: [...seen.lines],
  managedBy: 'platform',
  initiatedBy: seen.initiatedBy,
  channel: seen.platform,
  externalRefs: [{ platform: seen.platform, id: seen.externalId }],
  observed: {
    ...observationOf(seen, seen.createdAt),
    status: seen.status === 'approved' || seen.status === 'completed' ? 'approved' : 'requested',
  },
});

type LoadedReturn = { readonly ours: LocalReturn; readonly isNew: boolean };

const loadReturn = async (backend: InboxBackend, returnId: string, call: Call): Promise<Result<LoadedReturn>> => {
  const found = await backend.getReturn({ returnId }, call);
  return found.ok ? ok({ ours: found.value.body, isNew: false }) : found;
};

/** More than any order has. */
const maxReturns = 100;

/** The return of ours that follows a platform's, as it is by now; undefined where there is none. */
const findReturn = async (
  backend: InboxBackend,
  seen: RemoteReturn,
  call: Call,
): Promise<Result<LoadedReturn | undefined>> => {
  const { platform, orderId, externalId } = seen;
  const listed = await backend.listReturns({ platform, orderId, limit: maxReturns }, call);
  if (!listed.ok) return listed;
  const found = listed.value.body.items.find(({ externalRefs }) =>
    externalRefs.some((ref) => ref.platform === platform && ref.id === externalId),
  );
  return found === undefined ? ok(undefined) : loadReturn(backend, found.returnId, call);
};

/** The return of ours that is the platform's: made now, or as it is by now. */
const createOrLoadReturn = async (
  backend: InboxBackend,
  seen: RemoteReturn,
  call: Call,
): Promise<Result<LoadedReturn>> => {
  const request = createRequestOf(seen);
  const created = await backend.createReturn(request, { ...call, idempotencyKey: idempotencyKeyOf(request) });
  if (!created.ok) {
    const { code, returnId } = created.failure;
    return code === 'duplicate_return' && returnId !== undefined ? loadReturn(backend, returnId, call) : created;
  }
  const { body, replayed = false } = created.value;
  return replayed ? loadReturn(backend, body.returnId, call) : ok({ ours: body, isNew: true });
};

type RunOperation = (input: object, call: Call) => Promise<Result<Reply<LocalReturn>>>;

/** Takes a step on the version that it was found for. What only an admin may do, the platform has done already. */
const takeStep = async (
  backend: InboxBackend,
  { operation, input }: SyncStep,
  seen: RemoteReturn,
  ours: LocalReturn,
  call: Call,
) => {
  const needed = ours.allowedActions?.find(({ action }) => action === operation)?.scope ?? 'returns:write';
  const isFact = operation !== 'reopen' && operation !== 'correct';
  const at = (operation === 'complete' ? seen.closedAt : undefined) ?? seen.seenAt;
  const told = isFact ? { ...input, observed: observationOf(seen, at) } : input;
  const run = backend[operation] as RunOperation;
  return run(told, {
    ...call,
    caller: { ...call.caller, scopes: [...new Set([...call.caller.scopes, needed])] },
    ifMatch: ours.version,
    idempotencyKey: idempotencyKeyOf(ours.returnId, ours.version, operation, told),
  });
};

/**
 * What following came to: the return, the platform's ids of the refunds that it had booked, and what refused to come
 * further; or why it is to be tried again.
 */
export type SyncResult =
  | {
      readonly kind: 'followed';
      /** None where nothing is to be made of the platform's. */
      readonly returnId?: string;
      readonly booked?: readonly string[];
      readonly refused?: Failure;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'unseen'; readonly failure: ShopFailure };

type LoadedReturnWithRefunds = LoadedReturn & { readonly refused?: Failure };

/** Books money that is not in our return yet, before all else: a return ends with it, and is not found to owe it. */
const recordRefunds = async (
  backend: InboxBackend,
  { ours, isNew }: LoadedReturn,
  refunds: readonly RemoteRefund[],
  call: Call,
): Promise<Result<LoadedReturnWithRefunds>> => {
  const known = new Set(ours.refunds.map(({ external }) => external?.externalId));
  const unknown = refunds.filter(({ externalId }) => !known.has(externalId));
  let refused: Failure | undefined;
  for (const refund of unknown) {
    const booked = await backend.recordRefund({ ...refund, returnId: ours.returnId }, call);
    // Somebody has booked it as of no return, or of another: for people to see.
    if (!booked.ok && booked.failure.code === 'idempotency_key_reused') refused = booked.failure;
    else if (!booked.ok) return booked;
  }
  if (unknown.length === 0) return ok({ ours, isNew });
  const now = await loadReturn(backend, ours.returnId, call);
  return now.ok ? ok({ ...now.value, ...(refused && { refused }) }) : now;
};

/** Refusals that another attempt would meet as well. */
const permanentCodes: ReadonlySet<Failure['code']> = new Set([
  'invalid_transition',
  'invalid_request',
  'quantity_exceeds_returnable',
]);

/** Statuses in which nothing of a return is expected any more. */
export const endedStatuses: ReadonlySet<LocalReturn['status']> = new Set([
  'rejected',
  'cancelled',
  'expired',
  'completed',
]);

type RefetchReturn = () => Promise<Result<RemoteReturn, ShopFailure>>;

/** A return stays with its order. Lines of another one would take all of ours for removed, and its money for ours. */
const isSameOrder = ({ order }: LocalReturn, { orderId }: RemoteReturn): boolean => order.orderId === orderId;
const otherOrderResult: SyncResult = {
  kind: 'unseen',
  failure: { kind: 'permanent', reason: 'return_of_another_order' },
};

/** Takes step after step, each on a version that is older than the look it was found by. */
const takeSteps = async (
  backend: InboxBackend,
  begun: LoadedReturn,
  first: RemoteReturn,
  look: RefetchReturn,
  call: Call,
): Promise<SyncResult> => {
  let { ours, isNew: isSeenSince } = begun;
  let [seen, races, steps] = [first, 0, 0];
  while (steps < maxSteps) {
    const step = nextStep(ours, seen);
    if (step === undefined) return { kind: 'followed', returnId: ours.returnId };
    if (!isSeenSince) {
      const again = await look();
      if (!again.ok) return { kind: 'unseen', failure: again.failure };
      if (!isSameOrder(ours, again.value)) return otherOrderResult;
      [seen, isSeenSince] = [again.value, true];
      continue;
    }
    steps += 1;
    const taken = await takeStep(backend, step, seen, ours, call);
    if (taken.ok) {
      ours = taken.value.body;
      if (ours.parcels.length === 0) continue;
      // Commands do not show by what parcels are known.
      const whole = await loadReturn(backend, ours.returnId, call);
      if (!whole.ok) return { kind: 'failed', failure: whole.failure };
      ({ ours } = whole.value);
      // A version of somebody else is younger than the look.
      isSeenSince = ours.version === taken.value.body.version;
      continue;
    }
    const { failure } = taken;
    if (permanentCodes.has(failure.code)) return { kind: 'followed', returnId: ours.returnId, refused: failure };
    if (failure.code !== 'version_mismatch' || races === maxRaces) return { kind: 'failed', failure };
    races += 1;
    const now = await loadReturn(backend, ours.returnId, call);
    if (!now.ok) return { kind: 'failed', failure: now.failure };
    [ours, isSeenSince] = [now.value.ours, false];
  }
  return {
    kind: 'failed',
    failure: { code: 'internal_error', detail: 'The return did not reach the state of the platform.' },
  };
};

/**
 * Brings our return to where the platform's is: makes it where there is none, books the money that was given for it,
 * then records step by step what is there and not here yet. A step is taken on no other version than the one that was
 * read before the platform was looked at: so a worker with an older look never undoes what a younger one has brought.
 *
 * @param refunds the money that was given for it
 * @param look sees the platform's return anew
 */
export const syncReturn = async (
  backend: InboxBackend,
  seen: RemoteReturn,
  refunds: readonly RemoteRefund[],
  look: RefetchReturn,
  call: Call,
): Promise<SyncResult> => {
  // One that was emptied holds nothing that a return could be made of; one that we have already is called off.
  const begun =
    seen.lines.length === 0 ? await findReturn(backend, seen, call) : await createOrLoadReturn(backend, seen, call);
  if (!begun.ok) return { kind: 'failed', failure: begun.failure };
  if (begun.value === undefined) return { kind: 'followed' };
  if (!isSameOrder(begun.value.ours, seen)) return otherOrderResult;
  const booked = await recordRefunds(backend, begun.value, refunds, call);
  if (!booked.ok) return { kind: 'failed', failure: booked.failure };
  const { refused, ours } = booked.value;
  const followed = await takeSteps(backend, booked.value, seen, look, call);
  if (followed.kind !== 'followed') return followed;
  const ids = ours.refunds.flatMap(({ external }) => external?.externalId ?? []);
  return { ...followed, booked: ids, ...(refused !== undefined && { refused }) };
};

/**
 * Brings a return of ours to where it is to be after the platform's was taken away: what is expected of it still is
 * called off, what came and what was given for it stays.
 */
export const syncDeletedReturn = async (
  backend: InboxBackend,
  returnId: string,
  look: RefetchReturn,
  call: Call,
): Promise<SyncResult> => {
  const found = await loadReturn(backend, returnId, call);
  if (!found.ok) return { kind: 'failed', failure: found.failure };
  const seen = await look();
  if (!seen.ok) return { kind: 'unseen', failure: seen.failure };
  if (!isSameOrder(found.value.ours, seen.value)) return otherOrderResult;
  // It is there again, and is followed as such; or ours has ended, whichever way.
  if (seen.value.status !== 'cancelled' || endedStatuses.has(found.value.ours.status))
    return { kind: 'followed', returnId };
  return takeSteps(backend, { ...found.value, isNew: true }, seen.value, look, call);
};
