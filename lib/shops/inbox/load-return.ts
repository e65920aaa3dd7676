import type { Input, Output } from '../../contract/contract.ts';
import type { InboxBackend } from '../../contract/inbox/sync.ts';
import type { Call } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import type { RemoteReturn } from '../platforms/shared/sync/remote-return.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type ListedReturn, listReturnsOf } from './returns-of-order.ts';

export type LocalReturn = Output<'getReturn'>;

/** Returns what a command says about the platform's return that it follows. */
export const observationOf = ({ platform, externalId }: RemoteReturn, occurredAt: string) => ({
  platform,
  externalId,
  occurredAt,
});

/** Returns the request that creates the return. All later states follow step by step. */
const createRequestOf = (remote: RemoteReturn): Input<'createReturn'> => ({
  order: { platform: remote.platform, orderId: remote.orderId },
  lines: [...remote.lines],
  managedBy: 'platform',
  initiatedBy: remote.initiatedBy,
  channel: remote.platform,
  externalRefs: [{ platform: remote.platform, id: remote.externalId }],
  observed: {
    ...observationOf(remote, remote.createdAt),
    status: remote.status === 'approved' || remote.status === 'completed' ? 'approved' : 'requested',
  },
});

export type LoadedReturn = { readonly ours: LocalReturn; readonly isNew: boolean };

export const loadReturn = async (
  backend: InboxBackend,
  returnId: string,
  call: Call,
): Promise<Result<LoadedReturn>> => {
  const found = await backend.getReturn({ returnId }, call);
  return found.ok ? ok({ ours: found.value.body, isNew: false }) : found;
};

/** Loads our return for a return of the platform; undefined if there is none. */
export const findReturn = async (
  backend: InboxBackend,
  remote: RemoteReturn,
  call: Call,
): Promise<Result<LoadedReturn | undefined>> => {
  const { platform, externalId } = remote;
  const isOurs = ({ externalRefs }: ListedReturn): boolean =>
    externalRefs.some((ref) => ref.platform === platform && ref.id === externalId);
  const listed = await listReturnsOf(backend, remote, call, (page) => page.some(isOurs));
  if (!listed.ok) return listed;
  const found = listed.value.find(isOurs);
  return found === undefined ? ok(undefined) : loadReturn(backend, found.returnId, call);
};

/** Creates our return for a return of the platform, or loads it if it exists. */
export const createOrLoadReturn = async (
  backend: InboxBackend,
  remote: RemoteReturn,
  call: Call,
): Promise<Result<LoadedReturn>> => {
  const request = createRequestOf(remote);
  const created = await backend.createReturn(request, { ...call, idempotencyKey: idempotencyKeyOf(call, request) });
  if (!created.ok) {
    const { code, returnId } = created.failure;
    return code === 'duplicate_return' && returnId !== undefined ? loadReturn(backend, returnId, call) : created;
  }
  const { body, replayed = false } = created.value;
  return replayed ? loadReturn(backend, body.returnId, call) : ok({ ours: body, isNew: true });
};
