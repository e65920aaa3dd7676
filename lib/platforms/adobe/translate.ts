import { isObject } from '../../runtime/json.ts';
import { idOf } from '../shared/fields/fields.ts';
import type { Parked } from '../platform.ts';
import type { Untold } from '../topics.ts';
import { topicOf, type Topic } from './topics.ts';

/** What a delivery is about, by the id that the REST API knows it by. */
export type Subject = { readonly kind: Topic['about']; readonly id: string; readonly early: boolean };

type Translation = Subject | Untold;

const parked = (path: string): Parked => ({ kind: 'parked', reason: 'payload_unexpected', path });

/** Where the id stands in the event's value. An event carries only the fields that somebody has subscribed to. */
const fields: Readonly<Record<Topic['about'], string>> = {
  return: 'entity_id',
  creditmemo: 'entity_id',
  order: 'order_id',
};

/**
 * Reads what a verified delivery is about: nothing else of it is believed, because what it tells of has moved on since.
 * https://developer.adobe.com/commerce/extensibility/events/
 */
export const translate = (topic: string, payload: unknown): Translation => {
  const known = topicOf(topic);
  if (known === undefined) return { kind: 'ignored', reason: 'topic_not_handled' };
  if (!isObject(payload)) return parked('');
  const { data } = payload;
  if (!isObject(data)) return parked('/data');
  const { value } = data;
  if (!isObject(value)) return parked('/data/value');
  const field = fields[known.about];
  const id = idOf(value[field]);
  return id === undefined ? parked(`/data/value/${field}`) : { kind: known.about, id, early: known.early };
};
