import { commandOnReturn } from '../../execution/command.ts';
import { referenceNote, referenceParcelTexts, createTextReference } from '../../../store/personal/text-references.ts';
import {
  closeReceipt as decideClosing,
  grant as decideGrant,
} from '../../../domain/returns/commands/goods/missing-units.ts';
import { correct as decideCorrection } from '../../../domain/returns/commands/goods/correct.ts';
import { inspect as decideInspection } from '../../../domain/returns/commands/goods/inspect.ts';
import { receive as decideReceipt } from '../../../domain/returns/commands/goods/receive.ts';
import {
  addParcel as decideParcel,
  updateParcel as decideParcelChange,
} from '../../../domain/returns/commands/goods/parcels.ts';
import { ok } from '../../../runtime/result.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import { readTexts } from '../../../store/personal/personal.ts';
import { writeTrackingChanges } from '../../../store/returns/returns.ts';

/* The commands on the goods of a return. Each constant is one operation; a bundle holds only the one it serves. */

export const addParcel = /* @__PURE__ */ commandOnReturn('addParcel', (input) => {
  const { returnId, observed: _, ...parcel } = input;
  const id = `pcl_${newUlid()}`;
  const { sealed, texts } = referenceParcelTexts(id, parcel);
  const writes = writeTrackingChanges([], parcel.trackingNumber === undefined ? [] : [parcel.trackingNumber], returnId);
  return {
    decide: (situation) => {
      const decision = decideParcel(situation, sealed, id);
      return decision.ok ? ok({ ...decision.value, texts, writes }) : decision;
    },
  };
});

/** Returns the tracking numbers of parcels, without erased ones. */
const trackingNumbersOf = (parcels: Return['parcels'], texts: ReadonlyMap<string, string>): readonly string[] =>
  parcels.flatMap(({ trackingNumber }) => (trackingNumber && texts.get(trackingNumber.ref)) ?? []);

export const updateParcel = /* @__PURE__ */ commandOnReturn('updateParcel', (input) => {
  const { returnId, parcelId, observed: _, ...patch } = input;
  return {
    decide: async (situation, session) => {
      const { parcels, subject } = situation.state;
      const known = await readTexts(session, subject, returnId);
      const parcel = parcels.find(({ id }) => id === parcelId);
      const { sealed, texts } = referenceParcelTexts(parcelId, patch, parcel && { parcel, texts: known });
      const decision = decideParcelChange(situation, parcelId, sealed);
      if (!decision.ok || decision.value === undefined) return decision;
      const { trackingNumber } = patch;
      if (trackingNumber === undefined) return ok({ ...decision.value, texts });
      const others = trackingNumbersOf(
        parcels.filter(({ id }) => id !== parcelId),
        known,
      );
      const after = trackingNumber === null ? others : [...others, trackingNumber];
      const writes = writeTrackingChanges(trackingNumbersOf(parcels, known), after, returnId);
      return ok({ ...decision.value, texts, writes });
    },
  };
});

const unexpectedId = () => `unx_${newUlid()}`;

export const receive = /* @__PURE__ */ commandOnReturn('receive', ({ parcelId, lines, unexpected }) => {
  const sealed = unexpected?.map(({ note, ...item }) => {
    const id = unexpectedId();
    return referenceNote({ id, ...item }, `unexpected/${id}`, note);
  });
  const receipt = {
    ...(parcelId === undefined ? {} : { parcelId }),
    ...(lines === undefined ? {} : { lines }),
    ...(sealed === undefined ? {} : { unexpected: sealed.map(({ carrier }) => carrier) }),
  };
  return {
    // Without lines, the receipt has the contents of a parcel.
    decide: (situation) => decideReceipt(situation, receipt, (lines ?? situation.state.lines).map(unexpectedId)),
    texts: sealed?.flatMap(({ texts }) => texts) ?? [],
  };
});

export const closeReceipt = /* @__PURE__ */ commandOnReturn('closeReceipt', (input) => ({
  decide: (situation) => decideClosing(situation, input),
}));

export const inspect = /* @__PURE__ */ commandOnReturn('inspect', ({ lines = [], unexpected = [] }) => {
  const inspected = lines.map(({ note, ...line }) => {
    const id = `ins_${newUlid()}`;
    return referenceNote({ id, ...line }, `inspection/${id}`, note);
  });
  // The receipt may have stored a note for it already, under the id of the item.
  const disposed = unexpected.map(({ note, ...item }) => referenceNote(item, `disposition/${item.id}`, note));
  const report = {
    lines: inspected.map(({ carrier }) => carrier),
    unexpected: disposed.map(({ carrier }) => carrier),
  };
  return {
    decide: (situation) => decideInspection(situation, report),
    texts: [...inspected, ...disposed].flatMap(({ texts }) => texts),
  };
});

export const grant = /* @__PURE__ */ commandOnReturn('grant', (input) => ({
  decide: (situation) => decideGrant(situation, input),
}));

export const correct = /* @__PURE__ */ commandOnReturn('correct', ({ reason, lines }) => {
  const { seal, text } = createTextReference(`correction/${newUlid()}`, reason);
  const ids = lines.map(() => ({ accepted: `ins_${newUlid()}`, refused: `ins_${newUlid()}` }));
  const correction = { correction: { reason: seal }, lines, ids };
  return { decide: (situation) => decideCorrection(situation, correction), texts: [text] };
});
