import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { addParcel as decide } from '../../returns/commands/goods/add-parcel.ts';
import { decided } from '../../returns/failure.ts';
import { moveTracking } from '../../store/returns/returns.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealParcel } from '../../personal/seal-parcel.ts';

/** Puts units of a return into a parcel. */
export const addParcel = async (input: Input<'addParcel'>, call: Call): Promise<Result<Reply<Output<'addParcel'>>>> => {
  const { returnId, observed: _, ...parcel } = input;
  const id = `pcl_${ulid()}`;
  const { sealed, texts } = sealParcel(id, parcel);
  const writes = moveTracking([], parcel.trackingNumber === undefined ? [] : [parcel.trackingNumber], returnId);
  return command('addParcel', input, call, (situation) => {
    const decision = decide(situation, sealed, id);
    return decision.ok ? decided({ ...decision.value, texts, writes }) : decision;
  });
};
