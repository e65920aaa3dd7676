import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import type { Shop } from '../api.ts';
import type { Change, Changes, From, ShopFailure } from '../platform.ts';
import { ask, unexpected } from './api.ts';
import { eachAt, idAt, type Read } from './read.ts';
import { topics, translate } from './translate.ts';

/** A change that is none that we know is passed over: nothing when the sender tells of more than was agreed. */
const changeAt = ({ type, version, data }: JsonObject, at: string): Read<readonly Change[]> => {
  if (typeof type !== 'string' || !topics.has(type)) return ok([]);
  const subject = translate(type, { data });
  if (subject.kind === 'parked' || subject.kind === 'ignored') return { ok: false, failure: `${at}/data` };
  const of = idAt(version, `${at}/version`);
  if (!of.ok) return of;
  const { kind, id } = subject;
  return ok([{ topic: type, deliveryId: `${type}:${kind}:${id}@${of.value}`, body: { type, data } }]);
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
