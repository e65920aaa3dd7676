import { sum } from '../../../../runtime/sum.ts';
import type { Wanted, WantedReturn } from '../../effect.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { type RepeatedPlan, unitsByLine } from '../../shared/effects/repeated-plan.ts';
import type { ReturnLineState, ReturnState, ReverseLineState } from './state.ts';

/*
 * The goods of a return, by `returnProcess`. It has no key. What prevents a second effect is that it processes units only
 * once: a line of a return has so many. So only a request that takes the last units of a line is ever repeated.
 * Refused units stay unprocessed, because Shopify owes the money of processed ones.
 */

/** The input of `returnProcess` for lines of a return. */
export type ProcessedLine = {
  readonly id: string;
  readonly quantity: number;
  readonly dispositions: readonly {
    readonly reverseFulfillmentOrderLineItemId: string;
    readonly quantity: number;
    readonly dispositionType: string;
    readonly locationId?: string;
  }[];
};

export type Processing = { readonly returnGid: string; readonly lines: readonly ProcessedLine[] };

/** Accepted units by line of the order. */
export const acceptedUnits = ({ lines }: WantedReturn): ReadonlyMap<string, number> =>
  unitsByLine(
    lines.flatMap(({ orderLineId, found }) =>
      found.filter(({ outcome }) => outcome === 'accept').map(({ quantity }) => ({ orderLineId, quantity })),
    ),
  );

/** Units that the shop has processed, by line of the order. */
export const processedUnits = ({ lines }: ReturnState): ReadonlyMap<string, number> =>
  unitsByLine(lines.map(({ orderLineId, processed }) => ({ orderLineId, quantity: processed })));

/** Whether accepted units of ours are not processed. */
export const isUnprocessed = (state: ReturnState, own: WantedReturn): boolean => {
  const processed = processedUnits(state);
  return [...acceptedUnits(own)].some(([id, units]) => units > (processed.get(id) ?? 0));
};

/**
 * Shopify's dispositions of ours that the translator reads as ours again. Others have none: units without a disposition
 * have arrived, and nothing more is said of them.
 */
const typeOf = (disposition: string, location: string | undefined): string | undefined => {
  if (disposition === 'restock') return location === undefined ? undefined : 'RESTOCKED';
  return disposition === 'quarantine' ? 'NOT_RESTOCKED' : undefined;
};

const disposedOf = (lines: readonly ReverseLineState[], type: string): number =>
  sum(lines.map(({ disposed }) => disposed[type] ?? 0));

/** Units that still need a disposition at the shop, by type. */
const missingDispositions = (
  { reverseLines }: ReturnState,
  own: WantedReturn,
  orderLineId: string,
  location: string | undefined,
): Map<string, number> => {
  const wanted = new Map<string, number>();
  for (const line of own.lines.filter((candidate) => candidate.orderLineId === orderLineId))
    for (const { outcome, disposition, quantity } of line.found) {
      const type = outcome === 'accept' ? typeOf(disposition, location) : undefined;
      if (type !== undefined) wanted.set(type, (wanted.get(type) ?? 0) + quantity);
    }
  const lines = reverseLines.filter((line) => line.orderLineId === orderLineId);
  return new Map(Array.from(wanted, ([type, units]) => [type, Math.max(0, units - disposedOf(lines, type))]));
};

/** Takes dispositions for units of a line of the return, from those that are missing. */
const takeDispositions = (
  { fulfillmentLineGid }: ReturnLineState,
  quantity: number,
  { reverseLines }: ReturnState,
  missing: Map<string, number>,
  location: string | undefined,
): ProcessedLine['dispositions'] => {
  let left = quantity;
  return reverseLines
    .filter((line) => line.fulfillmentLineGid === fulfillmentLineGid)
    .flatMap((line) => {
      let free = line.quantity - sum(Object.values(line.disposed));
      return Array.from(missing).flatMap(([type, units]) => {
        const count = Math.max(0, Math.min(left, free, units));
        left -= count;
        free -= count;
        missing.set(type, units - count);
        if (count === 0) return [];
        const at = type === 'RESTOCKED' && location !== undefined ? { locationId: location } : {};
        return [{ reverseFulfillmentOrderLineItemId: line.gid, quantity: count, dispositionType: type, ...at }];
      });
    });
};

/**
 * Plans to process units of an open return.
 *
 * @param demand the units, by line of the order
 * @param location where accepted units are restocked
 */
export const planProcessing = (
  state: ReturnState,
  own: WantedReturn,
  demand: ReadonlyMap<string, number>,
  location: string | undefined,
): RepeatedPlan<Processing> => {
  if (state.status !== 'OPEN') return blocked('return_state_differs', { status: state.status });
  let isLast = false;
  const lines: ProcessedLine[] = [];
  for (const [orderLineId, units] of demand) {
    let left = units;
    const missing = missingDispositions(state, own, orderLineId, location);
    for (const line of state.lines.filter((candidate) => candidate.orderLineId === orderLineId)) {
      const quantity = Math.min(left, line.quantity - line.processed);
      if (quantity <= 0) continue;
      left -= quantity;
      isLast ||= line.processed + quantity === line.quantity;
      const dispositions = takeDispositions(line, quantity, state, missing, location);
      lines.push({ id: line.gid, quantity, dispositions });
    }
    if (left > 0) return blocked('units_not_in_return', { orderLineId, units: left });
  }
  return { kind: 'open', request: { returnGid: state.gid, lines }, repeat: isLast ? 'later' : 'unsafe' };
};

/** Plans to process the accepted units, without their money. */
export const planInspection = (
  state: ReturnState,
  wanted: Pick<Wanted, 'paysRefunds'>,
  own: WantedReturn,
  location: string | undefined,
): RepeatedPlan<Processing> => {
  if (wanted.paysRefunds) return { kind: 'deferred', to: 'refund' };
  const processed = processedUnits(state);
  const demand = new Map(
    [...acceptedUnits(own)]
      .map(([id, units]) => [id, units - (processed.get(id) ?? 0)] as const)
      .filter(([, units]) => units > 0),
  );
  if (demand.size === 0) return { kind: 'done', externalId: state.gid, seen: { status: state.status } };
  return planProcessing(state, own, demand, location);
};
