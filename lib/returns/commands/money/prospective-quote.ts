import { createReturn } from '../request/create-return.ts';
import type { CreateReturn } from '../request/new-return.ts';
import { decided, type Decision } from '../../failure.ts';
import { after } from '../../history/fold.ts';
import { quote, type Step } from '../../money/quote.ts';
import type { Money } from '../../model/order.ts';
import type { Eligibility } from '../../model/return.ts';
import type { Reasons } from '../../model/reason.ts';
import type { Situation } from '../../situation.ts';
import type { Terms } from '../../model/terms.ts';

/** What would be paid; steps name lines of the order, as there are none of a return yet. */
export type ProspectiveQuote = {
  readonly steps: readonly (Omit<Step, 'lineId'> & { readonly orderLineId?: string })[];
  readonly total: Money;
};

/** A return that is thought through and never kept has ids that are not. */
const idsOf = ({ lines }: CreateReturn) => ({
  id: 'ret',
  rmaNumber: '',
  lineIds: lines.map((_, index) => String(index)),
  subject: '',
});

/**
 * What would be paid for a return if it was asked for, and all that a policy does not deny was approved, sent back and
 * accepted; evidence that a reason demands is taken to be there.
 *
 * @param eligibility what a policy says of each line: undefined where it allows one
 */
export const prospectiveQuote = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now'> & { readonly reasons: Reasons },
  command: CreateReturn,
  terms: Terms,
  eligibility: readonly (Eligibility | undefined)[],
): Decision<ProspectiveQuote> => {
  const judged = { decisionId: '', policyVersion: '', verdict: 'approved', lines: eligibility } as const;
  const inAdvance = { ...terms, refundTiming: 'approved' } as const;
  const shown = new Map([...situation.reasons].map(([code, one]) => [code, { ...one, evidenceRequired: false }]));
  const outcome = createReturn(
    { ...situation, reasons: shown },
    { ...command, initiatedBy: 'customer', judged },
    inAdvance,
    idsOf(command),
  );
  if (!outcome.ok) return outcome;
  const { events, ledger } = outcome.value;
  const [first, ...others] = events;
  const start = after(undefined, { ...first, at: situation.now });
  const approved = others.reduce((state, event) => after(state, { ...event, at: situation.now }), start);
  const nothing = { steps: [], total: { amount: 0, currency: situation.order.facts.currency } };
  if (eligibility.length > 0 && eligibility.every((line) => line?.verdict === 'ineligible')) return decided(nothing);
  const quoted = quote({ state: { ...approved, version: 0, head: '' }, order: situation.order, ledger }, {});
  if (!quoted.ok) return quoted;
  const steps = quoted.value.steps.map(({ lineId, ...step }) => {
    const line = approved.lines.find(({ id }) => id === lineId);
    return line === undefined ? step : { ...step, orderLineId: line.orderLineId };
  });
  return decided({ steps, total: quoted.value.total });
};
