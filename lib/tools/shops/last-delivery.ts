import { setTimeout as pause } from 'node:timers/promises';
import type { Output } from '../../contract/contract.ts';
import { backOff } from '../../access/net/back-off.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { readOperation, type StageFunctions } from './call-operation.ts';

export type Delivery = Output<'listInboxDeliveries'>['items'][number];

/** The pauses between reads of the inbox: half a second, then less often. */
const firstPauseMs = 500;
const maxPauseMs = 5_000;
/** A page may be short, and has also what no shop has sent. */
const maxPages = 5;

type Wanted = { readonly platform: string; readonly source: string; readonly receivedFrom?: string };

/** The ids of what `reconcilePlatforms` found begin with this. */
const isSentByShop = ({ deliveryId }: Delivery): boolean => !deliveryId.startsWith('reconcile:');

const readNewest = async (functions: StageFunctions, wanted: Wanted): Promise<Result<Delivery | undefined, string>> => {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const input = { ...wanted, limit: 20, ...(cursor !== undefined && { cursor }) };
    const read = await readOperation(functions, 'listInboxDeliveries', input);
    if (!read.ok) return read;
    const found = read.value.items.find(isSentByShop);
    if (found !== undefined || read.value.nextCursor === null) return ok(found);
    cursor = read.value.nextCursor;
  }
  return ok(undefined);
};

/** Reads the newest delivery that a shop itself has sent; undefined without one. */
export const readLastDelivery = async (
  functions: StageFunctions,
  wanted: Wanted,
): Promise<Result<Delivery | undefined, string>> => {
  const { source } = wanted;
  // The inbox has the name in lower case where the path names the source.
  const names = [...new Set([source, source.toLowerCase()])];
  const found: Delivery[] = [];
  for (const name of names) {
    const read = await readNewest(functions, { ...wanted, source: name });
    if (!read.ok) return read;
    if (read.value !== undefined) found.push(read.value);
  }
  return ok(found.toSorted((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1))[0]);
};

/** Waits until a shop has sent a delivery. The failure is one sentence. */
export const waitForDelivery = async (
  functions: StageFunctions,
  wanted: Wanted,
  waitMs: number,
): Promise<Result<Delivery, string>> => {
  const end = Date.now() + waitMs;
  for (let reads = 1; ; reads += 1) {
    const read = await readLastDelivery(functions, wanted);
    if (!read.ok) return read;
    if (read.value !== undefined) return ok(read.value);
    const pauseMs = backOff(firstPauseMs, maxPauseMs, reads, Math.random());
    if (Date.now() + pauseMs > end) return fail(`no delivery arrived within ${Math.round(waitMs / 1000)} s`);
    await pause(pauseMs);
  }
};
