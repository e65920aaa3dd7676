import Type from 'typebox';
import { Inspection, MissingUnits } from '../returns/goods.ts';
import { Amounts, Eligibility } from '../returns/return-line.ts';
import { about, closed, Count, id, Observation, oneOf, text } from '../scalars.ts';

/*
 * The parts that the schemas of `data.change` share. An event may reach receivers without a scope. So no schema has a
 * field for personal data of the customer, or for texts that people wrote.
 */

const { Optional: optional, Array: list } = Type;

/** A schema with the sentence "Emitted when …", which the AsyncAPI document shows for its event. */
export type Described = { readonly description: string };

export const lineId = about(id('rln'), 'The line of the return.');

/** The fields that the change of any return may have. */
const common = {
  amounts: optional(
    about(
      list(closed({ lineId, amounts: about(Amounts, 'The amounts of the line after the change.') })),
      'The lines whose amounts changed. Absent when no amount changed.',
    ),
  ),
  paymentsLeft: optional(
    about(
      Type.Union([Count, Type.Null()]),
      'What the payments of the order have left for refunds, in minor units. Null once the order may have other payments. Absent when the order does not state it.',
    ),
  ),
  promotion: optional(
    about(
      Type.Integer(),
      'What the return takes back of promotions of its order, in minor units. Below zero, it pays back. Absent without promotions.',
    ),
  ),
  observed: optional(about(Observation, 'Set when a platform reported the change as a fact.')),
};

/** The change of a return. `description` says when the service emits the event. */
export const change = <Fields extends Type.TProperties>(description: string, fields: Fields) =>
  closed({ ...fields, ...common }, { description }) as Type.TObject<Fields & typeof common> & Described;

/** The change of another subject than a return. It is open, because later versions may add fields. */
export const openChange = <Fields extends Type.TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description }) as Type.TObject<Fields> & Described;

/** A line with a number of its units. */
export const unitsOf = (quantity: string) => ({ lineId, quantity: about(Count, quantity) });

/** An object that says by its presence that a personal text was written. The text itself is never in an event. */
export const marker = (description: string) => about(closed({}), `${description} Empty, because its text is personal.`);

const ChangedFacts = list(oneOf('order', 'customer', 'return', 'lines'));

export const changedFacts = about(ChangedFacts, 'The kinds of facts that differ from those of the earlier decision.');

/** The policy decision on a request. */
export const DecisionSummary = closed(
  {
    decisionId: about(id('dec'), 'The id of the policy decision.'),
    policyVersion: about(text(100), 'The policy version that decided, as the id of the policy and its number.'),
    verdict: about(oneOf('approved', 'rejected', 'needs_review'), 'The result of the policy decision.'),
    changedSinceQuote: optional(
      about(ChangedFacts, 'The kinds of facts that differ from those of the quote. Absent when none differs.'),
    ),
  },
  { description: 'The result of a policy decision.' },
);

const Difference = Type.Integer({ minimum: -100_000, maximum: 100_000 });

/** The differences of the quantities of a line, and the lists of the line after them. */
export const Adjustment = closed(
  {
    lineId,
    quantities: about(
      Type.Record(Type.String({ pattern: '^[a-z]+$' }), Difference, {
        'x-expected': 'a quantity of a line, such as received',
        additionalProperties: false,
      }),
      'Units to add to each quantity of the line, by the name of the quantity. A number below zero subtracts units.',
    ),
    inspections: optional(
      about(list(Inspection), 'All inspections of the line after the change. Absent when they are unchanged.'),
    ),
    missing: optional(
      about(list(MissingUnits), 'All missing units of the line after the change. Absent when they are unchanged.'),
    ),
  },
  { $id: 'Adjustment', description: 'Changed quantities of one line.' },
);

/** A new policy decision on a return that has no approval yet. */
export const Renewed = closed(
  {
    judgement: about(DecisionSummary, 'The new policy decision.'),
    lines: about(
      list(
        closed({
          lineId,
          eligibility: optional(about(Eligibility, 'Set when the policy does not simply allow the line.')),
          evidenceRequired: optional(about(Type.Boolean(), 'True when the line needs evidence before its approval.')),
        }),
      ),
      'The lines that the policy does not simply allow, or that need evidence. It allows all other lines.',
    ),
  },
  { $id: 'RenewedDecision', description: 'A policy decision that replaces an earlier one.' },
);
