import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import type { Sent, Wanted } from '../effect.ts';
import type { ShopFailure } from '../platform.ts';
import { blocked, hasAnyMark, hasMark, mayStillArrive, noAnswer, type Plan } from '../shared/effects/plan.ts';
import { instant, objectOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import { idIn, textIn, unitsIn } from './order.ts';

/*
 * A return and its receipt are changes of an order: begun, filled with items, then confirmed. Only the confirmation has an
 * effect, and an order has one open change at a time. Our mark is in the description of the change. So a later read finds
 * what a request began, and goes on with it.
 */

/** How long a request without an answer may still change the shop. */
export const changeSettleMs = 60_000;
/** A change of staff that is open for so long is left to people. */
const abandonedMs = 3_600_000;

export type ChangeType = 'return_request' | 'return_receive';

/** Units of an order's line in a change: to return, or received, damaged or not. */
export type ChangeItem = {
  readonly action: 'RETURN_ITEM' | 'RECEIVE_RETURN_ITEM' | 'RECEIVE_DAMAGED_RETURN_ITEM';
  readonly id: string;
  readonly quantity: number;
  readonly reasonId?: string;
};

/** The change that is wanted: its first request, and its items. */
export type WantedChange = {
  readonly type: ChangeType;
  /** Absent for a return that Medusa does not have. */
  readonly returnId?: string;
  readonly begin: JsonObject;
  readonly items: readonly ChangeItem[];
};

/** A change at its type and return, which names its paths. */
type ChangeRef = { readonly type: ChangeType; readonly returnId: string };

/** What is to do: take back what is in the way, then begin, fill and confirm, from where the change is. */
export type ChangeRequest = {
  readonly takeBack?: ChangeRef;
  readonly from: { readonly step: 'begin' } | { readonly step: 'items' | 'confirm'; readonly returnId: string };
  readonly change: WantedChange;
};

/** Reads the changes of an order. */
export const fetchChangesOf = async (
  shop: Shop,
  orderId: string,
): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const fields = 'id,status,change_type,return_id,description,created_at,actions.action,actions.details';
  const answer = await callApi(shop, `orders/${encodeURIComponent(orderId)}/changes`, { fields });
  return answer.ok ? ok(objectsOf(answer.value['order_changes'])) : answer;
};

/** Returns the id of the return whose change of this intent is confirmed. */
export const confirmedReturn = (changes: readonly JsonObject[], wanted: Wanted): string | undefined =>
  idIn(
    changes.find(({ status, description }) => status === 'confirmed' && hasMark(description, wanted))?.['return_id'],
  );

const isOpen = ({ status }: JsonObject): boolean => status === 'pending' || status === 'requested';

const refOf = ({ change_type: type, return_id: id }: JsonObject): ChangeRef | undefined => {
  const returnId = idIn(id);
  const isKnown = type === 'return_request' || type === 'return_receive';
  return isKnown && returnId !== undefined ? { type, returnId } : undefined;
};

/** Whether a change has exactly the wanted items. A request that arrived twice has added them twice. */
const hasItems = (actions: readonly JsonObject[], items: readonly ChangeItem[]): boolean => {
  const wanted = items.map(({ action, id, quantity }) => `${action} ${id} ${quantity}`).toSorted();
  const found = actions.map(({ action, details }) => {
    const { reference_id: id, quantity } = objectOf(details);
    return `${String(action)} ${idIn(id)} ${unitsIn(quantity)}`;
  });
  return wanted.join() === found.toSorted().join();
};

const ageOf = ({ created_at: createdAt }: JsonObject, now: number): number =>
  now - Date.parse(instant(createdAt) ?? new Date(now).toISOString());

const open = (request: ChangeRequest): Plan<ChangeRequest> => ({ kind: 'open', request });

/** Returns how to make a change, from the changes that the order has. */
export const planChange = (
  wanted: Wanted,
  change: WantedChange,
  { changes, now }: { readonly changes: readonly JsonObject[]; readonly now: number },
): Plan<ChangeRequest> => {
  if (mayStillArrive(wanted, changeSettleMs, now)) return { kind: 'pending' };
  const found = changes.find(isOpen);
  if (found === undefined) return open({ from: { step: 'begin' }, change });
  const ref = refOf(found);
  const seen = { changeType: textIn(found['change_type']) ?? 'unknown' };
  if (ref !== undefined && hasMark(found['description'], wanted) && ref.type === change.type) {
    const actions = objectsOf(found['actions']);
    const { returnId } = ref;
    if (hasItems(actions, change.items)) return open({ from: { step: 'confirm', returnId }, change });
    return actions.length === 0
      ? open({ from: { step: 'items', returnId }, change })
      : open({ takeBack: ref, from: { step: 'begin' }, change });
  }
  // An order has one intent at a time, so that of another one was left.
  const isOurs = ref !== undefined && hasAnyMark(found['description']);
  if (isOurs && ageOf(found, now) > changeSettleMs) return open({ takeBack: ref, from: { step: 'begin' }, change });
  // Staff has left its change.
  return ageOf(found, now) > abandonedMs ? blocked('order_change_open', seen) : { kind: 'pending', seen };
};

const itemPaths = {
  RETURN_ITEM: 'request-items',
  RECEIVE_RETURN_ITEM: 'receive-items',
  RECEIVE_DAMAGED_RETURN_ITEM: 'dismiss-items',
} as const;

const pathOf = ({ returnId }: Pick<ChangeRef, 'returnId'>, step: string): string =>
  `returns/${encodeURIComponent(returnId)}/${step}`;

const post = async (shop: Shop, path: string, body: JsonObject): Promise<Result<JsonObject, ShopFailure>> =>
  callApi(shop, path, {}, { method: 'POST', body: JSON.stringify(body) });

const takeBack = async (shop: Shop, ref: ChangeRef): Promise<Result<JsonObject, ShopFailure>> =>
  callApi(shop, pathOf(ref, ref.type === 'return_request' ? 'request' : 'receive'), {}, { method: 'DELETE' });

const begin = async (shop: Shop, change: WantedChange): Promise<Result<string, ShopFailure>> => {
  const { returnId } = change;
  const answer = await post(shop, returnId === undefined ? 'returns' : pathOf({ returnId }, 'receive'), change.begin);
  if (!answer.ok) return answer;
  const node = answer.value['return'];
  const id = returnId ?? idIn(isObject(node) ? node['id'] : undefined);
  return id === undefined ? fail(noAnswer) : ok(id);
};

const fillAndConfirm = async (
  shop: Shop,
  ref: ChangeRef,
  items: readonly ChangeItem[],
): Promise<Result<JsonObject, ShopFailure>> => {
  for (const [action, ofKind] of Map.groupBy(items, (item) => item.action)) {
    const body = {
      items: ofKind.map(({ id, quantity, reasonId }) => ({ id, quantity, ...(reasonId && { reason_id: reasonId }) })),
    };
    const filled = await post(shop, pathOf(ref, itemPaths[action]), body);
    if (!filled.ok) return filled;
  }
  return post(shop, pathOf(ref, ref.type === 'return_request' ? 'request' : 'receive/confirm'), {});
};

/** Makes a change. One that Medusa rejects is taken back, so that the order is free for staff. */
export const makeChange = async (shop: Shop, request: ChangeRequest): Promise<Sent> => {
  const { from, change } = request;
  if (request.takeBack !== undefined) {
    const gone = await takeBack(shop, request.takeBack);
    if (!gone.ok && gone.failure.kind === 'retryable') return gone;
  }
  const begun = from.step === 'begin' ? await begin(shop, change) : ok(from.returnId);
  if (!begun.ok) return begun;
  const ref = { type: change.type, returnId: begun.value };
  const done = await fillAndConfirm(shop, ref, from.step === 'confirm' ? [] : change.items);
  if (done.ok) return ok({ externalId: ref.returnId });
  if (done.failure.kind === 'permanent') await takeBack(shop, ref);
  return done;
};
