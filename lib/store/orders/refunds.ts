import type { OrderRef } from '../../returns/model/order.ts';
import type { RecordedRefund } from '../../returns/commands/money/record-refund.ts';
import { getItem } from '../engine/get-item.ts';
import { refundKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putNew, type Write } from '../engine/transact.ts';

/** A recorded refund, and the fingerprint of the request that recorded it. */
export type Recorded = { readonly refund: RecordedRefund; readonly fingerprint: string };

/** A refund of an order by its id at the platform, or undefined. */
export const readRefund = async (
  session: Session,
  ref: OrderRef,
  externalId: string,
): Promise<Recorded | undefined> => {
  const item = await getItem<{ value: string | Uint8Array; fingerprint: string }>(session, refundKey(ref, externalId));
  return item === undefined
    ? undefined
    : { refund: unpack(item.value) as RecordedRefund, fingerprint: item.fingerprint };
};

/** Records a refund, once. */
export const writeRefund = ({ refund, fingerprint }: Recorded): Write =>
  putNew('refund', refundKey(refund.order, refund.external.id), { value: pack(refund), fingerprint });
