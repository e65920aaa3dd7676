import type { InboxBackend } from '../../contract/inbox/sync.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok, type Result as GenericResult } from '../../runtime/result.ts';
import { nextStep, type SyncStep } from '../platforms/shared/sync/next-step.ts';
import type { RemoteRefund, RemoteReturn } from '../platforms/shared/sync/remote-return.ts';
import type { ShopFailure } from '../platforms/platform.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import {
  createOrLoadReturn,
  findReturn,
  type LoadedReturn,
  loadReturn,
  type LocalReturn,
  observationOf,
} from './load-return.ts';
import { done, type Outcome, outcomeOf, outcomeOfFailure, outcomeOfShopFailure, runInOrder } from './outcome.ts';

/** No return takes more: each kind of step twice, and one inspection for every few of its lines. */
const maxSteps = 50;
/** Another writer may change the return at the same time. */
const maxRaces = 5;

type RunOperation = (input: object, call: Call) => Promise<Result<Reply<LocalReturn>>>;

/**
 * Takes a step on the version that it was found for.
 * The platform has already done what only an admin may do, so the call has the needed scope.
 */
const takeStep = async (
  backend: InboxBackend,
  { operation, input }: SyncStep,
  remote: RemoteReturn,
  ours: LocalReturn,
  call: Call,
) => {
  const needed = ours.allowedActions?.find(({ action }) => action === operation)?.scope ?? 'returns:write';
  const isObserved = operation !== 'reopen' && operation !== 'correct' && operation !== 'updateReturn';
  const at = (operation === 'complete' ? remote.closedAt : undefined) ?? remote.fetchedAt;
  const payload = isObserved ? { ...input, observed: observationOf(remote, at) } : input;
  const run = backend[operation] as RunOperation;
  return run(payload, {
    ...call,
    caller: { ...call.caller, scopes: [...new Set([...call.caller.scopes, needed])] },
    ifMatch: ours.version,
    idempotencyKey: idempotencyKeyOf(call, ours.returnId, ours.version, operation, payload),
  });
};

/** A recorded refund is a fact and never changes. People must record the difference, or the shop must correct it. */
const amountChanged: Outcome = { status: 'parked', reason: 'refund_amount_changed' };

/** Whether our return has a refund of the platform, and whether with the same amount. */
const compareRefund = ({ refunds }: LocalReturn, { externalId, amount }: RemoteRefund): 'new' | 'known' | 'changed' => {
  const known = refunds.find(({ external }) => external?.externalId === externalId)?.amount;
  if (known === undefined) return 'new';
  return known.amount === amount.amount && known.currency === amount.currency ? 'known' : 'changed';
};

/**
 * Records refunds that our return does not have yet, and compares the amounts of the others.
 * This comes first, so that a return ends with them and does not still owe the money. A permanent failure of one refund
 * blocks neither the others nor the steps of the return. People must resolve it.
 */
const recordRefunds = async (
  backend: InboxBackend,
  ours: LocalReturn,
  refunds: readonly RemoteRefund[],
  call: Call,
): Promise<Outcome> =>
  runInOrder([
    ...refunds.filter((refund) => compareRefund(ours, refund) === 'changed').map(() => async () => amountChanged),
    ...refunds
      .filter((refund) => compareRefund(ours, refund) === 'new')
      .map((refund) => async () => outcomeOf(await backend.recordRefund({ ...refund, returnId: ours.returnId }, call))),
  ]);

/** Statuses in which a return expects nothing more. */
export const endedStatuses: ReadonlySet<LocalReturn['status']> = new Set([
  'rejected',
  'cancelled',
  'expired',
  'completed',
]);

/** Steps that end a return, or take back how it was ended or what it lacks. */
const decisions: ReadonlySet<SyncStep['operation']> = new Set(['complete', 'reopen', 'correct']);

/** Whether a step is a decision of the service alone. The shop follows it by write-back, perhaps later or never. */
const isOfService = ({ managedBy }: LocalReturn, { operation }: SyncStep): boolean =>
  managedBy === 'service' && decisions.has(operation);

type RefetchReturn = () => Promise<GenericResult<RemoteReturn, ShopFailure>>;

/**
 * Whether both returns have the same order.
 * Lines of another order would remove all of our lines, and its refunds would count as ours.
 */
const isSameOrder = ({ order }: LocalReturn, { orderId }: RemoteReturn): boolean => order.orderId === orderId;
const otherOrder: Outcome = { status: 'parked', reason: 'return_of_another_order' };

/** Takes steps one by one. Each step uses a version that was read before the remote snapshot was fetched. */
const takeSteps = async (
  backend: InboxBackend,
  loaded: LoadedReturn,
  first: RemoteReturn,
  refetch: RefetchReturn,
  call: Call,
): Promise<Outcome> => {
  let { ours, isNew: isFresh } = loaded;
  let [remote, races, steps] = [first, 0, 0];
  while (steps < maxSteps) {
    const step = nextStep(ours, remote);
    if (step === undefined || isOfService(ours, step)) return { status: 'done', returnId: ours.returnId };
    if (!isFresh) {
      const again = await refetch();
      if (!again.ok) return outcomeOfShopFailure(again.failure);
      if (!isSameOrder(ours, again.value)) return otherOrder;
      [remote, isFresh] = [again.value, true];
      continue;
    }
    steps += 1;
    const taken = await takeStep(backend, step, remote, ours, call);
    if (taken.ok) {
      ours = taken.value.body;
      if (ours.parcels.length === 0) continue;
      // Responses of commands omit the identifiers of parcels.
      const whole = await loadReturn(backend, ours.returnId, call);
      if (!whole.ok) return outcomeOfFailure(whole.failure);
      ({ ours } = whole.value);
      // A version of another writer is newer than the remote snapshot.
      isFresh = ours.version === taken.value.body.version;
      continue;
    }
    const { failure } = taken;
    if (failure.code !== 'version_mismatch' || races === maxRaces) return outcomeOfFailure(failure);
    races += 1;
    const now = await loadReturn(backend, ours.returnId, call);
    if (!now.ok) return outcomeOfFailure(now.failure);
    [ours, isFresh] = [now.value.ours, false];
  }
  // The return did not reach the state of the platform.
  return { status: 'retry', reason: 'internal_error' };
};

/**
 * Syncs our return with the platform's: creates it, records its refunds and takes the missing steps.
 * Each step uses a version that was read before the platform was read. So a worker with an older snapshot never undoes
 * the changes of a newer one.
 *
 * @param refunds the money that the platform refunded for it
 * @param recorded receives the platform's ids of the refunds of our return
 * @param refetch fetches the platform's return again
 */
export const syncReturn = async (
  backend: InboxBackend,
  remote: RemoteReturn,
  refunds: readonly RemoteRefund[],
  recorded: Set<string>,
  refetch: RefetchReturn,
  call: Call,
): Promise<Outcome> => {
  // A return without lines cannot be created. If we already have it, it is cancelled.
  const loaded =
    remote.lines.length === 0
      ? await findReturn(backend, remote, call)
      : await createOrLoadReturn(backend, remote, call);
  if (!loaded.ok) return outcomeOfFailure(loaded.failure);
  if (loaded.value === undefined) return done;
  const { ours } = loaded.value;
  if (!isSameOrder(ours, remote)) return otherOrder;
  const refunded = await recordRefunds(backend, ours, refunds, call);
  if (refunded.status === 'retry') return refunded;
  const isSame = refunds.every((refund) => compareRefund(ours, refund) !== 'new');
  const now = isSame ? ok(loaded.value) : await loadReturn(backend, ours.returnId, call);
  if (!now.ok) return outcomeOfFailure(now.failure);
  for (const { external } of now.value.ours.refunds) if (external !== undefined) recorded.add(external.externalId);
  return runInOrder([async () => refunded, async () => takeSteps(backend, now.value, remote, refetch, call)]);
};

/**
 * Syncs our return after the platform's return is deleted.
 * It cancels the outstanding units. Received units and refunds stay.
 */
export const syncDeletedReturn = async (
  backend: InboxBackend,
  returnId: string,
  refetch: RefetchReturn,
  call: Call,
): Promise<Outcome> => {
  const found = await loadReturn(backend, returnId, call);
  if (!found.ok) return outcomeOfFailure(found.failure);
  const remote = await refetch();
  if (!remote.ok) return outcomeOfShopFailure(remote.failure);
  if (!isSameOrder(found.value.ours, remote.value)) return otherOrder;
  // The platform's return exists again, and a later delivery syncs it; or our return has ended.
  if (remote.value.status !== 'cancelled' || endedStatuses.has(found.value.ours.status))
    return { status: 'done', returnId };
  return takeSteps(backend, { ...found.value, isNew: true }, remote.value, refetch, call);
};
