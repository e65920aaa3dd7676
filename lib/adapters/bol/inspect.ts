import type { Input } from '../../contract/contract.ts';
import { failureOf, OperationFailure, unknownEffect, unsupported } from '../failure.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { get, put } from './requests.ts';
import { isOpen, ownIdOf, partWith, returnOf, type ReturnPart } from './return-parts.ts';
import type { BolReturn, Handling, HandlingResult, ProcessStatus, ReturnItem } from './service.ts';

/* The inspection of a line is the handling of an item. The service takes it at once, and carries it out later. */

type Inspection = Input<'inspect'>;

/** The word of the service for an outcome with a disposition. It has none for what the shop does with accepted goods. */
const handlingResults: ReadonlyMap<string, HandlingResult> = new Map([
  ['accept restock', 'RETURN_RECEIVED'],
  ['refuse return_to_customer', 'RETURN_DOES_NOT_MEET_CONDITIONS'],
]);

/** The most units of a handling. */
const maxQuantity = 9_999;

type Handled = { readonly lineId: string; readonly handling: Handling };

/** @throws {OperationFailure} for what the service cannot say */
const handlingOf = ({ lines = [] }: Inspection): Handled => {
  const [line] = lines;
  if (line === undefined || lines.length > 1)
    throw unsupported('/lines', 'must have one entry: the Returns Service handles one item in a request');
  const { lineId, quantity, outcome, disposition = outcome === 'accept' ? 'restock' : undefined } = line;
  const handlingResult = handlingResults.get(`${outcome} ${disposition}`);
  if (handlingResult === undefined)
    throw unsupported(
      '/lines/0/disposition',
      'must be restock for accepted units, and return_to_customer for refused units',
    );
  if (quantity > maxQuantity) throw unsupported('/lines/0/quantity', `must be at most ${maxQuantity}`);
  return { lineId, handling: { handlingResult, quantityReturned: quantity } };
};

/** Reads the part of a return with an id of ours. */
export const read = async (returnId: string, { send }: Service): Promise<ReturnPart> =>
  partWith(returnId, (await send<BolReturn>(get(path`/retailer/returns/${ownIdOf(returnId)}`))).body);

/** A request names only the item, so the adapter checks that it is in the return. */
const itemWith = (lineId: string, { items }: ReturnPart): ReturnItem => {
  const item = items.find(({ rmaId }) => rmaId === lineId);
  if (item === undefined) throw unsupported('/lines/0/lineId', 'must be the id of a line of the return');
  return item;
};

const handle = async ({ lineId, handling }: Handled, { send, follow }: Service): Promise<void> => {
  const { body } = await send<ProcessStatus>(put(path`/retailer/returns/${lineId}`, handling));
  const { status } =
    body.status === 'PENDING'
      ? (
          await follow<ProcessStatus>(
            get(path`/shared/process-status/${body.processStatusId ?? ''}`),
            (process) => process.status !== 'PENDING',
          )
        ).body
      : body;
  // The service stopped waiting for itself: it may still carry out the request.
  if (status !== 'SUCCESS') throw new OperationFailure(unknownEffect);
};

/** Handles an item, and returns the return afterwards. */
export const inspect = async (input: Inspection, service: Service) => {
  const handled = handlingOf(input);
  const part = await read(input.returnId, service);
  const item = itemWith(handled.lineId, part);
  if (part.of.fulfilmentMethod !== 'FBR' || !isOpen(item)) throw new OperationFailure(failureOf('invalid_transition'));
  await handle(handled, service);
  return returnOf(await read(input.returnId, service));
};

/** Returns the return if the item was handled in this way. */
export const findInspected = async (input: Inspection, service: Service) => {
  const { lineId, handling } = handlingOf(input);
  const part = await read(input.returnId, service);
  const isThere = itemWith(lineId, part).processingResults.some(
    ({ handlingResult, quantity }) =>
      handlingResult === handling.handlingResult && quantity === handling.quantityReturned,
  );
  return isThere ? returnOf(part) : undefined;
};
