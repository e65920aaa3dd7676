import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { addParcel as decide } from '../../returns/commands/add-parcel.ts';
import type { Call, Reply } from '../port.ts';
import { command } from './command.ts';

/** Puts units of a return into a parcel. */
export const addParcel = async (input: Input<'addParcel'>, call: Call): Promise<Result<Reply<Output<'addParcel'>>>> => {
  const { returnId: _, observed: __, ...parcel } = input;
  const id = `pcl_${ulid()}`;
  return command('addParcel', input, call, (situation) => decide(situation, parcel, id));
};
