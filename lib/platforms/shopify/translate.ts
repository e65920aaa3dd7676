import { isObject } from '../../runtime/json.ts';
import type { Parked } from '../platform.ts';
import type { Untold } from '../topics.ts';
import { gidOf, isGid } from './gid.ts';
import { topics, type Topic } from './topics.ts';

/** What a delivery is about, by its global id. */
export type Subject = { readonly kind: Topic['about']; readonly gid: string };

type Translation = Subject | Untold;

const parked = (path: readonly string[]): Parked => ({
  kind: 'parked',
  reason: 'payload_unexpected',
  path: path.map((step) => `/${step}`).join(''),
});

const nothingNamed = { kind: 'ignored', reason: 'nothing_named' } as const;

/**
 * Reads what a verified delivery is about. Only the body was signed, so a body that names something else than the claimed
 * topic is about is parked. One that names nothing tells nothing: the documented body of `returns/process` is empty.
 */
export const translate = (topic: string, payload: unknown): Translation => {
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  const { about: kind, at } = known;
  if (!isObject(payload)) return parked([]);
  let place = payload;
  for (const [depth, step] of at.entries()) {
    const inner = place[step];
    if (inner === undefined || inner === null) return nothingNamed;
    if (!isObject(inner)) return parked(at.slice(0, depth + 1));
    place = inner;
  }
  const { admin_graphql_api_id: gid, id } = place;
  if (gid !== undefined && gid !== null)
    return isGid(gid, kind) ? { kind, gid } : parked([...at, 'admin_graphql_api_id']);
  if (id === undefined || id === null) return nothingNamed;
  // A larger number has lost its last digits.
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    ? { kind, gid: gidOf(kind, String(id)) }
    : parked([...at, 'id']);
};
