import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { updateParcel as decide } from '../../returns/commands/update-parcel.ts';
import type { Call, Reply } from '../port.ts';
import { command } from './command.ts';

/** Changes a parcel of a return. What changes nothing leaves no entry. */
export const updateParcel = async (
  input: Input<'updateParcel'>,
  call: Call,
): Promise<Result<Reply<Output<'updateParcel'>>>> => {
  const { returnId: _, parcelId, observed: __, ...patch } = input;
  return command('updateParcel', input, call, (situation) => decide(situation, parcelId, patch));
};
