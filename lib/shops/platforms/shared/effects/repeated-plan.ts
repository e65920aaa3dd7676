import { blocked, mayStillArrive } from './plan.ts';
import type { JsonObject } from '../../../../runtime/json.ts';
import type { Sent, Sight, Wanted } from '../../effect.ts';
import type { Shop } from '../http/api.ts';

/**
 * Whether a request without an answer may be sent again after a read that shows no effect.
 * `safe`: the shop has the effect once, by a key, a status or a version. `later`: the same by its units, once no earlier
 * request can arrive any more, because the next one may take other units. `unsafe`: never.
 */
type Repeat = 'safe' | 'later' | 'unsafe';

/** What is to do at a shop, from its state and the wanted one: a sight that has a request, and does not send it. */
export type RepeatedPlan<Request> =
  | Exclude<Sight, { readonly kind: 'open' }>
  | {
      readonly kind: 'open';
      readonly request: Request;
      readonly repeat: Repeat;
      readonly seen?: JsonObject;
    };

/** Our key as text at a shop: in a note, or as a reference. */
export const noteOf = (key: string): string => `returns:${key}`;
export const isOurNote = (note: string | null | undefined): boolean => note?.startsWith('returns:') === true;

/** The time after which a request without an answer has had its effect, or never will. */
export const settleMs = 120_000;

/**
 * Returns the sight of a plan.
 * A request that is not safe to repeat waits. If it is unsafe without an answer and an effect, people decide.
 */
export const sightOf = <Request>(
  plan: RepeatedPlan<Request>,
  wanted: Wanted,
  source: string,
  send: (shop: Shop, request: Request) => Promise<Sent>,
): Sight => {
  if (plan.kind !== 'open') return plan;
  const { request, repeat, seen } = plan;
  const shown = seen === undefined ? {} : { seen };
  if (repeat !== 'safe' && mayStillArrive(wanted, settleMs, Date.now())) return { kind: 'pending', ...shown };
  if (repeat === 'unsafe' && wanted.askedAt !== undefined) return blocked('effect_unknown', seen);
  return { kind: 'open', send: async (deadline) => send({ source, deadline }, request), ...shown };
};

/** Returns the units of lines of an order, by line. */
export const unitsByLine = (
  units: readonly { readonly orderLineId: string; readonly quantity: number }[],
): ReadonlyMap<string, number> => {
  const byLine = new Map<string, number>();
  for (const { orderLineId, quantity } of units) byLine.set(orderLineId, (byLine.get(orderLineId) ?? 0) + quantity);
  return byLine;
};

/** Whether two lists have the same units of each line of the order. */
export const isSameUnits = (
  first: Parameters<typeof unitsByLine>[0],
  second: Parameters<typeof unitsByLine>[0],
): boolean => {
  const [ours, theirs] = [unitsByLine(first), unitsByLine(second)];
  return [...ours.keys(), ...theirs.keys()].every((id) => (ours.get(id) ?? 0) === (theirs.get(id) ?? 0));
};
