/*
 * The life of a return as the contract's state table tells it (sections 3 to 5), written a second time and without a look
 * at lib/: plain counters, no money but units, one line of text for each rule. Terms: refunds from `received` on, somebody
 * inspects, no deadlines, no fees.
 */

export type ModelLine = {
  readonly requested: number;
  readonly approved: number;
  readonly rejected: number;
  readonly cancelled: number;
  readonly received: number;
  readonly missing: number;
  readonly accepted: number;
  readonly refused: number;
  readonly grantedMissing: number;
  readonly grantedRefused: number;
};

type RefundStatus = 'pending' | 'submitted' | 'succeeded' | 'failed' | 'unknown' | 'reversed' | 'cancelled';

export type Model = {
  readonly status: string;
  readonly lines: readonly ModelLine[];
  readonly refunds: readonly { readonly status: RefundStatus; readonly units: readonly number[] }[];
  /** Units that came without belonging to a line. */
  readonly unexpected: number;
};

/** Quantities are by line, in the order of the lines; 0 leaves a line out. */
export type Step =
  | { readonly name: 'approve' | 'cancel' | 'receive' | 'refund'; readonly units: readonly number[] }
  | { readonly name: 'inspect'; readonly accept: readonly number[]; readonly refuse: readonly number[] }
  | { readonly name: 'grant'; readonly of: 'missing' | 'refused'; readonly units: readonly number[] }
  | { readonly name: 'result'; readonly refund: number; readonly status: RefundStatus }
  | {
      readonly name: 'reject' | 'cancelAll' | 'requestInfo' | 'provideInfo' | 'closeReceipt' | 'complete';
    };

export type Verdict = { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly code: string };

const undecided = ({ requested, approved, rejected }: ModelLine) => requested - approved - rejected;
const outstanding = ({ approved, cancelled, received, missing }: ModelLine) =>
  approved - cancelled - received - missing;
const uninspected = ({ received, accepted, refused }: ModelLine) => received - accepted - refused;
const entitled = ({ accepted, grantedMissing, grantedRefused }: ModelLine) =>
  accepted + grantedMissing + grantedRefused;

const isLive = ({ status }: Model['refunds'][number]) => status !== 'cancelled' && status !== 'reversed';

/** Units of each line that refunds hold. */
export const refundedUnits = ({ lines, refunds }: Model): readonly number[] =>
  lines.map((_, at) => refunds.filter(isLive).reduce((sum, { units }) => sum + (units[at] ?? 0), 0));

/** Units of each line that no other return may have. */
export const heldUnits = ({ lines }: Model): readonly number[] =>
  lines.map((line) => undecided(line) + line.approved - line.cancelled - (line.missing - line.grantedMissing));

const afterApproval = new Set(['approved', 'partially_received', 'received', 'inspected']);

/** Where the goods are decides, once a return is approved. */
const derived = (model: Model): Model => {
  if (!afterApproval.has(model.status)) return model;
  const some = (units: (line: ModelLine) => number) => model.lines.some((line) => units(line) > 0);
  if (!some((line) => line.received + line.missing)) return { ...model, status: 'approved' };
  if (some(outstanding)) return { ...model, status: 'partially_received' };
  return { ...model, status: some(uninspected) ? 'received' : 'inspected' };
};

const no = (code: string): Verdict => ({ ok: false, code });
const yes = (model: Model): Verdict => ({ ok: true, model: derived(model) });

const open = new Set(['requested', 'info_requested']);

const mapLines = (model: Model, change: (line: ModelLine, at: number) => ModelLine): Model => ({
  ...model,
  lines: model.lines.map(change),
});

const within = (units: readonly number[], lines: readonly ModelLine[], most: (line: ModelLine) => number): boolean =>
  lines.every((line, at) => (units[at] ?? 0) <= most(line));

const named = (units: readonly number[]) => units.some((quantity) => quantity > 0);

const approve = (model: Model, units: readonly number[]): Verdict => {
  if (!open.has(model.status)) return no('invalid_transition');
  if (!named(units) || !within(units, model.lines, undecided)) return no('invalid_request');
  const settled = mapLines(model, (line, at) => ({
    ...line,
    approved: line.approved + (units[at] ?? 0),
    rejected: line.rejected + undecided(line) - (units[at] ?? 0),
  }));
  return yes({ ...settled, status: 'approved' });
};

const reject = (model: Model): Verdict =>
  open.has(model.status)
    ? yes({
        ...mapLines(model, (line) => ({ ...line, rejected: line.rejected + undecided(line) })),
        status: 'rejected',
      })
    : no('invalid_transition');

const cancel = (model: Model, units: readonly number[]): Verdict => {
  if (![...open, 'approved', 'partially_received'].includes(model.status)) return no('invalid_transition');
  if (model.refunds.some(isLive)) return no('invalid_transition');
  if (model.status === 'partially_received') return no('insufficient_scope');
  if (!named(units)) return no('invalid_request');
  if (!within(units, model.lines, (line) => undecided(line) + outstanding(line))) return no('invalid_request');
  const next = mapLines(model, (line, at) => {
    const quantity = units[at] ?? 0;
    const early = Math.min(quantity, undecided(line));
    return { ...line, approved: line.approved + early, cancelled: line.cancelled + quantity };
  });
  const left = next.lines.some((line) => undecided(line) + line.approved - line.cancelled > 0);
  return left ? yes(next) : yes({ ...next, status: 'cancelled' });
};

const receivedIn = new Set(['approved', 'partially_received', 'received', 'inspected', 'completed', 'expired']);

const receive = (model: Model, units: readonly number[], free: readonly number[]): Verdict => {
  if (open.has(model.status)) return no('invalid_transition');
  if (!named(units)) return no('invalid_request');
  if (!receivedIn.has(model.status)) {
    const more = units.reduce((sum, quantity) => sum + quantity, 0);
    return yes({ ...model, unexpected: model.unexpected + more });
  }
  let { unexpected } = model;
  let came = false;
  const next = mapLines(model, (line, at) => {
    const quantity = units[at] ?? 0;
    const due = Math.min(quantity, outstanding(line));
    // What was given up comes late: it counts while nobody else has taken its place.
    const late = Math.min(quantity - due, line.missing - line.grantedMissing, free[at] ?? 0);
    unexpected += quantity - due - late;
    came ||= due + late > 0;
    return { ...line, received: line.received + due + late, missing: line.missing - late };
  });
  const status = came && ['completed', 'expired'].includes(model.status) ? 'approved' : model.status;
  return yes({ ...next, unexpected, status });
};

const inspect = (model: Model, accept: readonly number[], refuse: readonly number[]): Verdict => {
  if (!['partially_received', 'received', 'inspected'].includes(model.status)) return no('invalid_transition');
  if (model.unexpected === 0 && !model.lines.some((line) => uninspected(line) > 0)) return no('invalid_transition');
  const both = model.lines.map((_, at) => (accept[at] ?? 0) + (refuse[at] ?? 0));
  if (!named(both) || !within(both, model.lines, uninspected)) return no('invalid_request');
  return yes(
    mapLines(model, (line, at) => ({
      ...line,
      accepted: line.accepted + (accept[at] ?? 0),
      refused: line.refused + (refuse[at] ?? 0),
    })),
  );
};

const grant = (model: Model, of: 'missing' | 'refused', units: readonly number[]): Verdict => {
  if (!afterApproval.has(model.status)) return no('invalid_transition');
  const left = ({ missing, refused, grantedMissing, grantedRefused }: ModelLine) =>
    missing + refused - grantedMissing - grantedRefused;
  if (!model.lines.some((line) => left(line) > 0)) return no('invalid_transition');
  const most = (line: ModelLine) =>
    of === 'missing' ? line.missing - line.grantedMissing : line.refused - line.grantedRefused;
  if (!named(units) || !within(units, model.lines, most)) return no('invalid_request');
  const field = of === 'missing' ? 'grantedMissing' : 'grantedRefused';
  return yes(mapLines(model, (line, at) => ({ ...line, [field]: line[field] + (units[at] ?? 0) })));
};

const refund = (model: Model, units: readonly number[]): Verdict => {
  if (!['partially_received', 'received', 'inspected', 'completed'].includes(model.status))
    return no('invalid_transition');
  if (model.status === 'completed') return no('insufficient_scope');
  const paid = refundedUnits(model);
  if (!named(units)) return no('refund_exceeds_ceiling');
  if (model.lines.some((line, at) => (units[at] ?? 0) > entitled(line) - (paid[at] ?? 0)))
    return no('refund_exceeds_ceiling');
  return yes({ ...model, refunds: [...model.refunds, { status: 'pending', units }] });
};

const results: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['submitted', 'cancelled'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  failed: ['submitted', 'cancelled'],
  succeeded: ['reversed'],
  reversed: [],
  cancelled: [],
};

const result = (model: Model, at: number, status: RefundStatus): Verdict => {
  const known = model.refunds[at];
  if (known === undefined) return no('refund_not_found');
  if (known.status === status) return yes(model);
  if (!results[known.status].includes(status)) return no('invalid_transition');
  return yes({ ...model, refunds: model.refunds.with(at, { ...known, status }) });
};

const openRefund = new Set(['pending', 'submitted', 'unknown', 'failed']);

const complete = (model: Model): Verdict => {
  const paid = refundedUnits(model);
  const settled = model.lines.every((line, at) => (paid[at] ?? 0) >= entitled(line));
  const done =
    model.status === 'inspected' &&
    settled &&
    model.unexpected === 0 &&
    !model.refunds.some(({ status }) => openRefund.has(status));
  return done ? yes({ ...model, status: 'completed' }) : no('invalid_transition');
};

/** What the contract demands of a step, on a return that stands as the model says. */
export const judge = (model: Model, step: Step, free: readonly number[]): Verdict => {
  switch (step.name) {
    case 'approve':
      return approve(model, step.units);
    case 'reject':
      return reject(model);
    case 'cancel':
      return cancel(model, step.units);
    case 'cancelAll':
      return cancel(
        model,
        model.lines.map((line) => undecided(line) + outstanding(line)),
      );
    case 'requestInfo':
      return model.status === 'requested' ? yes({ ...model, status: 'info_requested' }) : no('invalid_transition');
    case 'provideInfo':
      return model.status === 'info_requested' ? yes({ ...model, status: 'requested' }) : no('invalid_transition');
    case 'receive':
      return receive(model, step.units, free);
    case 'closeReceipt':
      return ['approved', 'partially_received'].includes(model.status) &&
        model.lines.some((line) => outstanding(line) > 0)
        ? yes(mapLines(model, (line) => ({ ...line, missing: line.missing + outstanding(line) })))
        : no('invalid_transition');
    case 'inspect':
      return inspect(model, step.accept, step.refuse);
    case 'grant':
      return grant(model, step.of, step.units);
    case 'refund':
      return refund(model, step.units);
    case 'result':
      return result(model, step.refund, step.status);
    case 'complete':
      return complete(model);
  }
};
