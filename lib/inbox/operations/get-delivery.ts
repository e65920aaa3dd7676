import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readDelivery } from '../../store/inbox/inbox.ts';
import { storedKey } from '../../store/inbox/inbox-key.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { deliveryView } from './delivery-view.ts';
import { deliveryNotFound } from './failures.ts';

/** Reads a delivery with its headers and its bytes. */
export const getDelivery = async (
  { deliveryKey }: Input<'getDelivery'>,
  call: Call,
): Promise<Result<Reply<Output<'getDelivery'>>>> =>
  withStore(call, async (session) => {
    const key = storedKey(deliveryKey);
    const row = await readDelivery(session, key);
    return row === undefined
      ? fail(deliveryNotFound)
      : ok({ status: 200, body: await deliveryView(key, row, Date.now()) });
  });
