import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { updateParcel as decide } from '../../returns/commands/goods/update-parcel.ts';
import { decided } from '../../returns/failure.ts';
import type { Return } from '../../returns/model/return.ts';
import { readTexts } from '../../store/personal/personal.ts';
import { moveTracking } from '../../store/returns/returns.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealParcel } from '../../personal/seal-parcel.ts';

type Texts = ReadonlyMap<string, string>;

/** The tracking numbers of some parcels that are not erased. */
const numbersOf = (parcels: Return['parcels'], texts: Texts): readonly string[] =>
  parcels.flatMap(({ trackingNumber }) => (trackingNumber && texts.get(trackingNumber.ref)) ?? []);

/** Changes a parcel of a return. What changes nothing leaves no entry. */
export const updateParcel = async (
  input: Input<'updateParcel'>,
  call: Call,
): Promise<Result<Reply<Output<'updateParcel'>>>> => {
  const { returnId, parcelId, observed: _, ...patch } = input;
  return command('updateParcel', input, call, async (situation, session) => {
    const { parcels, subject } = situation.state;
    const known = await readTexts(session, subject, returnId);
    const parcel = parcels.find(({ id }) => id === parcelId);
    const { sealed, texts } = sealParcel(parcelId, patch, parcel && { parcel, texts: known });
    const decision = decide(situation, parcelId, sealed);
    if (!decision.ok || decision.value === undefined) return decision;
    const { trackingNumber } = patch;
    if (trackingNumber === undefined) return decided({ ...decision.value, texts });
    const others = numbersOf(
      parcels.filter(({ id }) => id !== parcelId),
      known,
    );
    const after = trackingNumber === null ? others : [...others, trackingNumber];
    const writes = moveTracking(numbersOf(parcels, known), [...new Set(after)], returnId);
    return decided({ ...decision.value, texts, writes });
  });
};
