import { ok, type Result } from '../../contract/result.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { Shop } from '../shared/http/api.ts';
import type { Change, Changes, From, ShopFailure } from '../platform.ts';
import { ask, unexpected } from './api.ts';
import { eachAt, idAt, type Read } from './read.ts';
import { topics, translate } from './translate.ts';

/**
 * One that nobody can look at becomes a delivery all the same, which is parked: people see it there, and the changes that
 * come after it are found. It is known by what it says.
 */
const unreadable = (topic: string, change: JsonObject, at: string): Change => ({
  topic,
  deliveryId: `unreadable:${sha256(JSON.stringify(change), 'base64url')}`,
  body: { type: topic, unreadable: at },
});

/** A change that is none that we know is passed over: nothing when the sender tells of more than was agreed. */
const changeAt = (change: JsonObject, at: string): Read<readonly Change[]> => {
  const { type, version, data } = change;
  if (typeof type !== 'string' || !topics.has(type)) return ok([]);
  const subject = translate(type, { data });
  if (subject.kind === 'parked' || subject.kind === 'ignored') return ok([unreadable(type, change, `${at}/data`)]);
  const of = idAt(version, `${at}/version`);
  if (!of.ok) return ok([unreadable(type, change, of.failure)]);
  const { kind, id } = subject;
  const named = kind === 'return' ? { returnId: id } : { orderId: id };
  return ok([{ topic: type, deliveryId: `${type}:${kind}:${id}@${of.value}`, body: { type, data: named } }]);
};

/** What changed at a sender, by its own cursor. */
export const changedSince = async (shop: Shop, { cursor, since }: From): Promise<Result<Changes, ShopFailure>> => {
  const answer = await ask(shop, 'changes', cursor === undefined ? { since } : { cursor });
  if (!answer.ok) return answer;
  const { changes, cursor: next, more } = answer.value.value;
  const found = eachAt(changes, '/changes', changeAt);
  if (!found.ok) return unexpected(found.failure);
  if (typeof next !== 'string' || next === '' || next.length > 2000) return unexpected('/cursor');
  return ok({ found: found.value.flat(), cursor: next, more: more === true && next !== cursor });
};
