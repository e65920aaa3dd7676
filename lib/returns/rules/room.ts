import type { Blocker, Guard } from './blocker.ts';
import { mostEvidence } from '../goods/evidence.ts';
import { mostExchanges } from '../money/exchanges.ts';
import { decided, refused, type Decision } from '../failure.ts';
import { mostRefunds } from '../money/refund.ts';
import type { Return } from '../model/return.ts';

type Limit = { readonly most: number; readonly what: string; readonly code: Blocker['code'] };

/** As many as a return has of what it keeps, in the words of a refusal, and what blocks one more. */
const limits = {
  parcels: { most: 20, what: 'parcels', code: 'too_many_parcels' },
  refunds: { most: mostRefunds, what: 'refunds', code: 'too_many_refunds' },
  recoveries: { most: 100, what: 'recoveries', code: 'too_many_recoveries' },
  exchanges: { most: mostExchanges, what: 'exchanges', code: 'too_many_exchanges' },
  messages: { most: 100, what: 'messages', code: 'too_many_messages' },
  notes: { most: 100, what: 'notes', code: 'too_many_notes' },
  evidence: { most: mostEvidence, what: 'attachments', code: 'too_much_evidence' },
} as const satisfies Partial<Record<keyof Return, Limit>>;

type Kept = keyof typeof limits;

const isFull = (state: Pick<Return, Kept>, kept: Kept): boolean => state[kept].length >= limits[kept].most;

/** Wants room for one more. */
export const room =
  (kept: Kept): Guard =>
  (state) => {
    const { most, what, code } = limits[kept];
    return isFull(state, kept) ? { code, detail: `A return has at most ${most} ${what}.` } : undefined;
  };

/** Refuses one more where there is no room for it, as a fault of the request. */
export const roomIn = (state: Return, kept: Kept): Decision<null> => {
  if (!isFull(state, kept)) return decided(null);
  const { most, what } = limits[kept];
  const errors = [
    { path: '/returnId', code: 'max_items', message: `must be a return with fewer than ${most} ${what}` },
  ];
  return refused({ code: 'invalid_request', detail: `The return has too many ${what}.`, errors });
};
