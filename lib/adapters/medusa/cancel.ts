import type { Input } from '../../contract/contract.ts';
import { OperationFailure } from '../failure.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { read, returnOf } from './return.ts';

/* A return that is only begun is deleted. A requested one is cancelled. */

type Cancellation = Input<'cancel'>;

const isGone = async (returnId: string, service: Service): Promise<boolean> => {
  try {
    await read(returnId, service);
    return false;
  } catch (error) {
    return error instanceof OperationFailure && error.failure.code === 'return_not_found';
  }
};

const deleteOpen = async (returnId: string, service: Service): Promise<void> => {
  try {
    await service.send({ method: 'DELETE', path: path`/admin/returns/${returnId}/request` });
  } catch (error) {
    // Without an answer: a deleted return cannot be read any more, so this is the last chance to answer with it.
    if (!(await isGone(returnId, service))) throw error;
  }
};

/** Cancels a return. */
export const cancel = async ({ returnId }: Cancellation, service: Service) => {
  const found = await read(returnId, service);
  if (found.status === 'open') {
    await deleteOpen(returnId, service);
    return returnOf({ ...found, status: 'canceled' });
  }
  await service.send({ method: 'POST', path: path`/admin/returns/${returnId}/cancel`, body: {} });
  return returnOf(await read(returnId, service));
};

/** Returns the return if it is cancelled. */
export const findCancelled = async ({ returnId }: Cancellation, service: Service) => {
  const found = await read(returnId, service);
  return found.status === 'canceled' ? returnOf(found) : undefined;
};
