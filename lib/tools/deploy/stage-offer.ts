import { fail, ok, type Result } from '../../runtime/result.ts';
import { readAdapter } from '../template/adapters/read-adapter.ts';
import { type Offer, offers } from '../template/offer.ts';
import type { Stage } from './stage-file.ts';

/** Returns what the deployment of a stage offers, or the error of its adapter. */
export const offerOfStage = async ({ mode, adapter }: Stage): Promise<Result<Offer, string>> => {
  if (adapter === undefined) return ok(offers[mode]);
  const read = await readAdapter(adapter);
  return read.ok ? ok(read.value.offer) : fail(`adapter: ${read.failure}`);
};
