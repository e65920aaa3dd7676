import { amountsOfParts } from '../money/amounts.ts';
import { checkReasons, usualResolution } from './check-reasons.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Event, Requested } from '../history/entry.ts';
import { after } from '../history/fold.ts';
import { undecided } from '../goods/quantities.ts';
import { conceded, type Objection } from '../rules/fact.ts';
import { decided, refused, type Decision, type Fault } from '../failure.ts';
import { floorObjections } from '../rules/floor.ts';
import { returnable, type Ledger } from '../money/ledger.ts';
import type { Order, OrderLine } from '../order.ts';
import { builtInReasons, type Reasons } from '../rules/reasons.ts';
import type { Eligibility, ExternalRef, Judgement, Line, Reason, Resolution, Return, Unversioned } from '../return.ts';
import type { Situation } from '../situation.ts';
import type { Terms } from '../rules/terms.ts';
import { settleLines } from './settle-lines.ts';
import { eligibilityObjections } from '../rules/eligibility.ts';

/** What a policy says of a request, line by line: undefined where it allows one. */
export type Judged = Judgement & { readonly lines: readonly (Eligibility | undefined)[] };

/** A request to return units of an order, its free text already sealed. */
export type CreateReturn = {
  readonly lines: readonly {
    readonly orderLineId: string;
    readonly quantity: number;
    readonly reason: Reason;
    readonly condition?: string;
    readonly resolution?: Resolution;
  }[];
  readonly managedBy?: Return['managedBy'];
  readonly externalRefs?: readonly ExternalRef[];
  readonly channel?: string;
  readonly initiatedBy?: Return['initiatedBy'];
  readonly basis?: Exclude<Return['basis'], undefined>;
  readonly isGift?: boolean;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** What the platform that manages the return has decided already. */
  readonly status?: 'requested' | 'approved' | 'rejected';
  /** What the policy that is for the order has decided. */
  readonly judged?: Judged;
};

/** What a new return is known by, made by the caller of the decision. */
export type NewIds = {
  readonly id: string;
  readonly rmaNumber: string;
  readonly lineIds: readonly string[];
  readonly subject: string;
};

type Wanted = CreateReturn['lines'][number];
type Matched = { readonly wanted: Wanted; readonly line: OrderLine };

const lineFault = (index: number, field: string, code: string, message: string): Fault => ({
  path: `/lines/${index}/${field}`,
  code,
  message,
});

const matchLines = (order: Order, wanted: readonly Wanted[]): Decision<readonly Matched[]> => {
  const byId = new Map(order.facts.lines.map((line) => [line.lineId, line]));
  const matched: Matched[] = [];
  const errors: Fault[] = [];
  wanted.forEach((one, index) => {
    const line = byId.get(one.orderLineId);
    if (line === undefined) {
      errors.push(lineFault(index, 'orderLineId', 'unknown', 'must be a line of the order'));
    } else matched.push({ wanted: one, line });
  });
  return errors.length === 0
    ? decided(matched)
    : refused({ code: 'order_line_not_found', detail: 'The order has no such line.', errors });
};

/** Looks at the lines one after another: two lines of a request may name the same line of the order. */
const checkReturnable = (ledger: Ledger, lines: readonly Matched[]): Decision<null> => {
  const errors: Fault[] = [];
  const asked = new Map<string, number>();
  lines.forEach(({ wanted, line }, index) => {
    const before = asked.get(line.lineId) ?? 0;
    const free = Math.max(0, returnable(ledger, line) - before);
    if (wanted.quantity > free) errors.push(lineFault(index, 'quantity', 'maximum', `must be at most ${free}`));
    asked.set(line.lineId, before + wanted.quantity);
  });
  return errors.length === 0
    ? decided(null)
    : refused({ code: 'quantity_exceeds_returnable', detail: 'More units than may still be returned.', errors });
};

const requestedLines = (
  lines: readonly Matched[],
  ledger: Ledger,
  lineIds: readonly string[],
  judged: Judged | undefined,
): Requested['lines'] => {
  const amounts = amountsOfParts(
    lines.map(({ wanted, line }) => ({ line, units: wanted.quantity })),
    ledger,
  );
  return lines.map(({ wanted, line }, index) => {
    const { orderLineId, quantity, reason, condition, resolution = usualResolution } = wanted;
    const id = lineIds[index];
    const worth = amounts[index];
    const eligibility = judged?.lines[index];
    if (id === undefined || worth === undefined) throw new Error('fewer line ids than lines');
    return {
      id,
      orderLineId,
      ...(line.sku === undefined ? {} : { sku: line.sku }),
      quantity,
      reason,
      ...(condition === undefined ? {} : { condition }),
      resolution,
      ...(eligibility === undefined ? {} : { eligibility }),
      amounts: worth,
    };
  });
};

const requestOf = (
  order: Order,
  command: CreateReturn,
  terms: Terms,
  lines: Requested['lines'],
  ids: NewIds,
): Requested => {
  const { number, customer, isGift } = order.facts;
  const { channel, basis, judged } = command;
  const { lines: _, ...judgement } = judged ?? { lines: [] };
  return {
    id: ids.id,
    rmaNumber: ids.rmaNumber,
    order: { platform: order.platform, orderId: order.orderId, ...(number === undefined ? {} : { number }) },
    subject: ids.subject,
    customer: customer ?? {},
    managedBy: command.managedBy ?? 'service',
    externalRefs: command.externalRefs ?? [],
    ...(channel === undefined ? {} : { channel }),
    initiatedBy: command.initiatedBy ?? 'agent',
    ...(basis === undefined ? {} : { basis }),
    isGift: command.isGift ?? isGift ?? false,
    lines,
    tags: command.tags ?? [],
    metadata: command.metadata ?? {},
    terms,
    ...('decisionId' in judgement ? { judgement } : {}),
  };
};

/** Approves the lines that qualify, or all of them, and rejects the rest. */
const approval = (state: Unversioned, isApproved: (line: Line) => boolean): Event => {
  const units = state.lines
    .filter(isApproved)
    .map(({ id, quantities }): [string, number] => [id, undecided(quantities)]);
  return { type: 'return.approved', data: { lines: settleLines(state, new Map(units)) } };
};

const rejection = (state: Unversioned, code: string): Event => ({
  type: 'return.rejected',
  data: { rejection: { code }, lines: settleLines(state, new Map()) },
});

const qualifies = ({ eligibility }: Line): boolean => eligibility?.verdict !== 'ineligible';

/** What a policy decides with the request itself. It binds customers; whoever works for the shop may know better. */
const byPolicy = (state: Unversioned, { verdict }: Judged): readonly Event[] => {
  const isAdvice = state.initiatedBy === 'agent' && !state.lines.every(qualifies);
  if (verdict === 'needs_review' || isAdvice) return [];
  return [
    verdict === 'approved'
      ? approval(state, qualifies)
      : rejection(
          state,
          state.lines.find(({ eligibility }) => eligibility !== undefined)?.eligibility?.code ?? 'rejected',
        ),
  ];
};

/** What is decided with the request itself: by the platform that made it, by a policy, or by the terms. */
const settledAtOnce = (
  state: Unversioned,
  told: CreateReturn['status'],
  judged: Judged | undefined,
): readonly Event[] => {
  if (told === 'requested') return [];
  if (told === 'rejected') return [rejection(state, 'rejected_by_platform')];
  if (told === 'approved') return [approval(state, () => true)];
  if (judged !== undefined) return byPolicy(state, judged);
  return state.terms.approval === 'auto' ? [approval(state, () => true)] : [];
};

/** What the rules of the service say against what a platform has decided. */
const objections = (state: Unversioned, told: CreateReturn['status']): readonly Objection[] => {
  if (told === 'rejected')
    return floorObjections(
      state.terms,
      state.lines.map(({ orderLineId, quantities }) => ({ orderLineId, units: quantities.requested })),
    );
  return told === 'approved'
    ? eligibilityObjections(state.lines.map((line, index) => ({ line, path: `/lines/${index}` })))
    : [];
};

/**
 * Decides on a new return: every line must be of the order, every unit still returnable over all the order's returns,
 * every reason one of the shop's. What a policy or the terms decide by themselves is decided in the same write.
 *
 * @param situation with the shop's reasons, which are those that are built in unless it says otherwise
 */
export const createReturn = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now' | 'observed'> & { readonly reasons?: Reasons },
  command: CreateReturn,
  terms: Terms,
  ids: NewIds,
): Decision<Outcome> => {
  const { order, ledger, now, observed, reasons = builtInReasons } = situation;
  const known = checkReasons(command.lines, reasons, observed !== undefined);
  if (!known.ok) return known;
  const lines = matchLines(order, command.lines);
  if (!lines.ok) return lines;
  const free = checkReturnable(ledger, lines.value);
  if (!free.ok) return free;
  const wanted = requestedLines(lines.value, ledger, ids.lineIds, command.judged);
  const request: Event = { type: 'return.requested', data: requestOf(order, command, terms, wanted, ids) };
  const state = after(undefined, { ...request, at: now });
  const events = settledAtOnce(state, command.status, command.judged);
  const beside = conceded(situation, objections(state, command.status));
  if (!beside.ok) return beside;
  return conclude({ ...situation, state: undefined }, [request, ...events, ...beside.value]);
};
