import { live, openUnits } from '../goods/quantities.ts';
import type { ActorUser } from '../model/actor.ts';
import type { Attachment, LineUnits, UnexpectedItem } from '../model/goods.ts';
import type { Instant } from '../model/order.ts';
import type { PolicyDecision, Line, Message, Note, Override, Return, UnversionedReturn } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { sum } from '../units-by-line.ts';
import { adjustLine, type Adjustment, type Appliers, changedLines, newLine, type RequestedLine } from './lines.ts';

/** The requested return: all fields that a fold cannot derive. */
export type ReturnRequested = Pick<
  Return,
  | 'id'
  | 'rmaNumber'
  | 'order'
  | 'subject'
  | 'actorKey'
  | 'customer'
  | 'managedBy'
  | 'externalRefs'
  | 'channel'
  | 'initiatedBy'
  | 'basis'
  | 'isGift'
  | 'tags'
  | 'metadata'
  | 'terms'
> & {
  readonly lines: readonly RequestedLine[];
  readonly judgement?: PolicyDecision;
};

/** The decision on a requested line. Its approved units include returnless ones. */
export type DecidedLine = {
  readonly lineId: string;
  readonly approved: number;
  readonly rejected: number;
  readonly returnless?: number;
};

export type ReturnApproved = { readonly lines: readonly DecidedLine[]; readonly overrides?: readonly Override[] };

export type ReturnRejected = {
  readonly rejection: Exclude<Return['rejection'], undefined>;
  readonly lines: readonly DecidedLine[];
};

/**
 * Units that joined a return after its request. A line that is added to an approved return is approved at once. `terms`
 * are the old ones, raised to the law of the added units; absent when they stay as they are.
 */
export type ReturnAmended = {
  readonly lines: readonly (RequestedLine & { readonly approved?: number; readonly returnless?: number })[];
  readonly raised: readonly (LineUnits & Pick<Line, 'eligibility'>)[];
  /** Units of unexpected items that are units of lines now. */
  readonly unexpected: readonly (LineUnits & { readonly id: string })[];
  readonly judgement?: PolicyDecision;
  readonly overrides?: readonly Override[];
  readonly terms?: Terms;
};

export type ReturnCancelled = {
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
  readonly lines: readonly LineUnits[];
};

/**
 * A new policy decision on an undecided return, and the terms that it sets.
 * It names only lines that it does not simply allow, or that require evidence under these terms.
 */
export type Reevaluation = {
  readonly judgement: PolicyDecision;
  readonly terms: Terms;
  readonly lines: readonly ({ readonly lineId: string } & Pick<Line, 'eligibility' | 'evidenceRequired'>)[];
};

export type ReturnReopened = {
  readonly reopening: Exclude<Return['reopening'], undefined>;
  /** `requested` when the return awaits a decision again, `approved` when its old approval stays valid. */
  readonly status: 'requested' | 'approved';
  readonly lines: readonly Adjustment[];
  /** The new decision, if a policy applies to the order. */
  readonly renewed?: Reevaluation;
};

/** A decision that replaces one on outdated facts, with the parts of the facts that changed. */
export type DecisionRenewed = Reevaluation & {
  readonly changed: readonly ('order' | 'customer' | 'return' | 'lines')[];
};

export type ReturnCorrected = {
  readonly correction: Exclude<Return['correction'], undefined>;
  readonly lines: readonly Adjustment[];
  /** `approved` when the correction reopens an ended return. The status is then derived from quantities. */
  readonly status?: 'approved';
};

/** The changed fields with their new values. */
export type ReturnUpdated = Partial<Pick<Return, 'tags' | 'metadata' | 'externalRefs' | 'shopExchanges'>>;

/** What new facts of the order change in a return. Common data holds what its payments have left. */
export type ReturnRefreshed = { readonly sendBy?: Instant };

/** The events from the request of a return to its end, and the changes of fields stored with it. */
export type LifecycleEvents = {
  readonly 'return.requested': ReturnRequested;
  readonly 'return.approved': ReturnApproved;
  readonly 'return.rejected': ReturnRejected;
  readonly 'return.amended': ReturnAmended;
  readonly 'return.cancelled': ReturnCancelled;
  readonly 'return.info_requested': { readonly message: Message };
  readonly 'return.info_provided': { readonly message: Message };
  readonly 'return.completed': { readonly waiver?: Exclude<Return['waiver'], undefined> };
  readonly 'return.expired': { readonly lines: readonly Adjustment[] };
  readonly 'return.reopened': ReturnReopened;
  readonly 'decision.renewed': DecisionRenewed;
  readonly 'return.corrected': ReturnCorrected;
  readonly 'return.updated': ReturnUpdated;
  readonly 'return.refreshed': ReturnRefreshed;
  readonly 'return.assigned': { readonly assignee: ActorUser | null };
  readonly 'note.added': { readonly note: Note };
  readonly 'attachment.added': { readonly attachment: Attachment };
};

const decideLine = (line: Line, { approved, rejected, returnless }: DecidedLine): Line => ({
  ...line,
  quantities: {
    ...line.quantities,
    approved,
    rejected,
    ...(returnless === undefined ? {} : { returnless }),
  },
});

const raiseLine = (line: Line, { quantity, eligibility }: ReturnAmended['raised'][number]): Line => ({
  ...line,
  quantities: { ...line.quantities, requested: line.quantities.requested + quantity },
  ...(eligibility === undefined ? {} : { eligibility }),
});

const addLine = ({ approved = 0, returnless = 0, ...requested }: ReturnAmended['lines'][number]): Line => {
  const line = newLine(requested);
  return { ...line, quantities: { ...line.quantities, approved, returnless } };
};

/** Returns the unexpected items without the units that lines took. */
const withoutTaken = (items: readonly UnexpectedItem[], taken: ReturnAmended['unexpected']) => {
  const units = Map.groupBy(taken, ({ id }) => id);
  return items
    .map((item) => ({ ...item, quantity: item.quantity - sum((units.get(item.id) ?? []).map((of) => of.quantity)) }))
    .filter(({ quantity }) => quantity > 0);
};

const cancelLine = (line: Line, { quantity }: LineUnits): Line => {
  const { quantities } = line;
  return { ...line, quantities: { ...quantities, cancelled: quantities.cancelled + quantity } };
};

/** Applies a new decision to every line. The old result of a line that it does not name is removed. */
const applyReevaluation = (
  { judgement, terms, lines: named }: Reevaluation,
  lines: readonly Line[],
): Partial<UnversionedReturn> => ({
  terms,
  decision: { ...judgement, overridden: false, overrides: [] },
  lines: lines.map((line) => {
    const { eligibility: _, evidenceRequired: __, decisionId: ___, ...rest } = line;
    const { lineId: ____, ...said } = named.find(({ lineId }) => lineId === line.id) ?? { lineId: line.id };
    return { ...rest, ...said };
  }),
});

/** The changes that lifecycle events make to a return. */
export const lifecycleAppliers = {
  'return.approved': (state, { lines, overrides = [] }) => ({
    status: 'approved',
    lines: changedLines(state, lines, decideLine),
    decision: { ...state.decision, overridden: overrides.length > 0, overrides },
  }),
  'return.rejected': (state, { lines, rejection }) => ({
    status: 'rejected',
    lines: changedLines(state, lines, decideLine),
    rejection,
    released: openUnits(state),
  }),
  'return.amended': (state, { lines, raised, unexpected, judgement, overrides = [], terms }) => {
    const decided = judgement === undefined ? {} : { decisionId: judgement.decisionId };
    const { decision } = state;
    return {
      lines: [
        ...changedLines(state, raised, (line, units) => ({ ...raiseLine(line, units), ...decided })),
        ...lines.map((line) => ({ ...addLine(line), ...decided })),
      ],
      unexpected: withoutTaken(state.unexpected, unexpected),
      ...(terms === undefined ? {} : { terms }),
      ...(overrides.length === 0
        ? {}
        : { decision: { ...decision, overridden: true, overrides: [...(decision?.overrides ?? []), ...overrides] } }),
    };
  },
  'return.cancelled': (state, data) => {
    const { cancellation } = data;
    const lines = changedLines(state, data.lines, cancelLine);
    return lines.some(({ quantities }) => live(quantities) > 0)
      ? { lines, cancellation }
      : { lines, cancellation, status: 'cancelled', released: openUnits(state) };
  },
  'return.info_requested': ({ messages }, { message }) => ({
    status: 'info_requested',
    messages: [...messages, message],
  }),
  'return.info_provided': ({ messages }, { message }) => ({ status: 'requested', messages: [...messages, message] }),
  'return.completed': (_, { waiver }) => ({ status: 'completed', ...(waiver === undefined ? {} : { waiver }) }),
  'return.expired': (state, { lines }) => ({
    status: 'expired',
    lines: changedLines(state, lines, adjustLine),
    released: openUnits(state),
  }),
  'return.reopened': (state, { status, lines, reopening, renewed }) => {
    const adjusted = changedLines(state, lines, adjustLine);
    return {
      status,
      lines: adjusted,
      reopening,
      released: [],
      ...(renewed === undefined ? {} : applyReevaluation(renewed, adjusted)),
    };
  },
  'decision.renewed': ({ lines }, renewed) => applyReevaluation(renewed, lines),
  'return.corrected': (state, { lines, correction, status }) => ({
    lines: changedLines(state, lines, adjustLine),
    correction,
    // The released units can no longer be restored.
    ...(status === undefined ? {} : { status, released: [] }),
  }),
  'return.updated': (_, { amounts: __, observed: ___, paymentsLeft: ____, promotion: _____, ...fields }) => fields,
  'return.refreshed': ({ terms: { withdrawal, ...terms } }, { sendBy }) => ({
    terms: {
      ...terms,
      ...(withdrawal !== undefined && { withdrawal: { ...withdrawal, ...(sendBy !== undefined && { sendBy }) } }),
    },
  }),
  'return.assigned': (_, { assignee }) => ({ assignee }),
  'note.added': ({ notes }, { note }) => ({ notes: [...notes, note] }),
  'attachment.added': (state, { attachment }) => ({ evidence: [...state.evidence, attachment] }),
} satisfies Appliers<Omit<LifecycleEvents, 'return.requested'>>;
