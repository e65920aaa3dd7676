import type { ShopReply, ShopRequest } from '../shop-server.ts';
import type { Json } from './refunds.ts';

/*
 * The hooks of an app at a BigCommerce store: one for each scope and destination.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/https-webhooks
 */

/** A hook of the store. */
export type StoreHook = {
  readonly id: number;
  readonly scope: string;
  readonly destination: string;
  readonly is_active: boolean;
} & Json;

type Books = {
  readonly hooks: Map<string, StoreHook>;
  readonly hash: string;
  readonly nextId: () => number;
  readonly now: number;
};

const json = (value: unknown, status = 200): ShopReply => ({ status, body: JSON.stringify(value) });
const unprocessable = (title: string): ShopReply => json({ status: 422, title, type: '', errors: {} }, 422);

/** Saves a hook, unless another one has its scope and destination. */
const save = (hook: StoreHook, { hooks }: Books): ShopReply => {
  const isTaken = [...hooks.values()].some(
    ({ id, scope, destination }) => id !== hook.id && scope === hook.scope && destination === hook.destination,
  );
  if (isTaken) return unprocessable('A webhook with this scope and destination exists');
  hooks.set(String(hook.id), hook);
  return json({ data: hook, meta: {} });
};

/** Answers a request for the hooks of the store. */
export const answerHooks = ({ method, path, body }: ShopRequest, books: Books): ShopReply => {
  const { hooks, hash, nextId, now } = books;
  const { pathname, searchParams } = new URL(path, 'http://store.invalid');
  const id = pathname.split('/')[5];
  if (method === 'GET') {
    const [limit, page] = ['limit', 'page'].map((name) => Number(searchParams.get(name) ?? 1));
    const start = (limit ?? 1) * ((page ?? 1) - 1);
    return json({ data: [...hooks.values()].slice(start, start + (limit ?? 1)), meta: {} });
  }
  const fields = JSON.parse(body) as Partial<StoreHook>;
  const found = id === undefined ? undefined : hooks.get(id);
  if (id !== undefined && found === undefined) return json({ status: 404, title: 'Not Found' }, 404);
  const { scope = '', destination = '' } = { ...found, ...fields };
  if (scope === '' || !destination.startsWith('http')) return unprocessable('The fields are invalid');
  const seconds = Math.floor(now / 1000);
  const added = { client_id: 'client', store_hash: hash, headers: null, created_at: seconds, is_active: false };
  const before = found ?? { ...added, id: nextId() };
  return save({ ...before, ...fields, id: before.id, scope, destination, updated_at: seconds }, books);
};
