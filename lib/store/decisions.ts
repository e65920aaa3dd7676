import { createHash } from 'node:crypto';
import { decodeTime } from 'ulid';
import type { KeptDecision } from '../policies/decision/kept-decision.ts';
import { getItem } from './get-item.ts';
import { decisionKey, type Key } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';
import { putNew, type Write } from './transact.ts';

/** A day's decisions are in so many partitions: each takes 1,000 writes a second, and each is read by itself. */
export const decisionShards = 8;

const shardOf = (id: string): number => (createHash('sha256').update(id).digest()[0] ?? 0) % decisionShards;

const keyOf = (id: string): Key => {
  const at = decodeTime(id.slice(id.indexOf('_') + 1));
  return decisionKey(new Date(at).toISOString().slice(0, 10), shardOf(id), id);
};

/** A decision as it was made, or undefined. */
export const readDecision = async (session: Session, id: string): Promise<KeptDecision | undefined> => {
  const item = await getItem<{ value: string | Uint8Array }>(session, keyOf(id));
  return item === undefined ? undefined : (unpack(item.value) as KeptDecision);
};

/** Keeps a decision, once. Its id is of the day on which it was made. */
export const writeDecision = (decision: KeptDecision): Write =>
  putNew('decision', keyOf(decision.id), { value: pack(decision) });
