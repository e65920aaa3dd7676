import { ok } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { clip, webAddress } from '../shared/fields/fields.ts';
import type {
  InspectionFinding,
  RemoteLine,
  RemoteParcel,
  RemoteReturn,
  RemoteUnits,
} from '../shared/sync/remote-return.ts';
import { eachAt, idAt, instantAt, type ParseResult, unitsAt, wordAt } from './read.ts';

/** The common fields of all returns in a response. */
export type SnapshotContext = { readonly platform: string; readonly orderId: string; readonly fetchedAt: string };

const statuses = ['requested', 'approved', 'rejected', 'cancelled', 'completed'] as const;

/** Returns the reason by our codes. The sender's own word is stored as it is. */
const reasonOf = (reason: unknown, platform: string): RemoteLine['reason'] => {
  if (isObject(reason)) return reason as RemoteLine['reason'];
  const word = clip(reason, 200);
  return word === undefined ? { code: 'unknown' } : { code: 'other', source: { system: platform, code: word } };
};

const lineAt =
  ({ platform }: SnapshotContext) =>
  (line: JsonObject, at: string): ParseResult<RemoteLine> => {
    const orderLineId = idAt(line['orderLineId'], `${at}/orderLineId`);
    if (!orderLineId.ok) return orderLineId;
    const quantity = unitsAt(line['quantity'], 1, `${at}/quantity`);
    if (!quantity.ok) return quantity;
    return ok({
      ...line,
      orderLineId: orderLineId.value,
      quantity: quantity.value,
      reason: reasonOf(line['reason'], platform),
    });
  };

const findingAt = (finding: JsonObject, at: string): ParseResult<InspectionFinding> => {
  const outcome = wordAt(finding['outcome'], ['accept', 'refuse'], `${at}/outcome`);
  if (!outcome.ok) return outcome;
  const disposition = idAt(finding['disposition'], `${at}/disposition`);
  if (!disposition.ok) return disposition;
  const quantity = unitsAt(finding['quantity'], 0, `${at}/quantity`);
  if (!quantity.ok) return quantity;
  return ok({
    outcome: outcome.value,
    disposition: disposition.value as InspectionFinding['disposition'],
    quantity: quantity.value,
  });
};

const remoteUnitsAt = (units: JsonObject, at: string): ParseResult<RemoteUnits> => {
  const orderLineId = idAt(units['orderLineId'], `${at}/orderLineId`);
  if (!orderLineId.ok) return orderLineId;
  const received = unitsAt(units['received'] ?? 0, 0, `${at}/received`);
  if (!received.ok) return received;
  const missing = unitsAt(units['missing'] ?? 0, 0, `${at}/missing`);
  if (!missing.ok) return missing;
  const found = eachAt(units['found'], `${at}/found`, findingAt);
  if (!found.ok) return found;
  return ok({
    orderLineId: orderLineId.value,
    received: received.value,
    missing: missing.value,
    found: found.value,
  });
};

/** Reads the units of an order line. */
export const contentAt = (content: JsonObject, at: string): ParseResult<{ orderLineId: string; quantity: number }> => {
  const orderLineId = idAt(content['orderLineId'], `${at}/orderLineId`);
  if (!orderLineId.ok) return orderLineId;
  const quantity = unitsAt(content['quantity'], 1, `${at}/quantity`);
  return quantity.ok ? ok({ orderLineId: orderLineId.value, quantity: quantity.value }) : quantity;
};

const parcelAt = (parcel: JsonObject, at: string): ParseResult<RemoteParcel> => {
  const trackingNumber = idAt(parcel['trackingNumber'], `${at}/trackingNumber`);
  if (!trackingNumber.ok) return trackingNumber;
  const contents = eachAt(parcel['contents'], `${at}/contents`, contentAt);
  if (!contents.ok) return contents;
  const carrier = clip(parcel['carrier'], 100);
  const trackingUrl = webAddress(parcel['trackingUrl']);
  const labelUrl = webAddress(parcel['labelUrl']);
  return ok({
    trackingNumber: trackingNumber.value.slice(0, 100),
    ...(carrier !== undefined && { carrier }),
    ...(trackingUrl !== undefined && { trackingUrl }),
    ...(labelUrl !== undefined && { labelUrl }),
    ...(contents.value.length > 0 && { contents: contents.value }),
  });
};

const rejectionOf = ({ rejection }: JsonObject): Pick<RemoteReturn, 'rejection'> => {
  if (!isObject(rejection)) return {};
  const { code, note: words } = rejection;
  const note = clip(words, 4000);
  const isCode = typeof code === 'string' && /^[a-z_]{1,100}$/.test(code);
  return { rejection: { code: isCode ? code : 'other', ...(note !== undefined && { note }) } };
};

/** Reads a return of a sender. Its fields follow lib/shops/platforms/shared/sync/remote-return.ts. */
export const remoteReturnAt = (frame: SnapshotContext, value: JsonObject, at: string): ParseResult<RemoteReturn> => {
  const externalId = idAt(value['externalId'], `${at}/externalId`);
  if (!externalId.ok) return externalId;
  const status = wordAt(value['status'], statuses, `${at}/status`);
  if (!status.ok) return status;
  const initiatedBy = wordAt(value['initiatedBy'] ?? 'customer', ['customer', 'agent'], `${at}/initiatedBy`);
  if (!initiatedBy.ok) return initiatedBy;
  const createdAt = instantAt(value['createdAt'], `${at}/createdAt`);
  if (!createdAt.ok) return createdAt;
  const closedAt = value['closedAt'] === undefined ? undefined : instantAt(value['closedAt'], `${at}/closedAt`);
  if (closedAt?.ok === false) return closedAt;
  const lines = eachAt(value['lines'], `${at}/lines`, lineAt(frame));
  if (!lines.ok) return lines;
  const parcels = eachAt(value['parcels'], `${at}/parcels`, parcelAt);
  if (!parcels.ok) return parcels;
  const units = eachAt(value['units'], `${at}/units`, remoteUnitsAt);
  if (!units.ok) return units;
  return ok({
    ...frame,
    externalId: externalId.value,
    status: status.value,
    initiatedBy: initiatedBy.value,
    createdAt: createdAt.value,
    ...(closedAt !== undefined && { closedAt: closedAt.value }),
    ...rejectionOf(value),
    lines: lines.value,
    parcels: parcels.value,
    units: units.value,
  });
};
