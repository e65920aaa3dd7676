import Type from 'typebox';
import {
  about,
  closed,
  Count,
  erasable,
  id,
  matching,
  Money,
  MoneySum,
  oneOf,
  PlatformId,
  Quantity,
  text,
} from '../scalars.ts';
import { Evidence } from './evidence.ts';
import { Inspection, MissingUnits } from './goods.ts';

const { Optional: optional, Array: list } = Type;

export const Resolution = oneOf('refund', 'exchange', 'store_credit', 'repair', 'none');

/** The service's code of the reason for returning a line. */
export const LineReasonCode = Type.String({
  ...matching('^[a-z_]+(\\.[a-z_]+)?$', 'a reason such as fit.too_small'),
  maxLength: 100,
  examples: ['fit.too_small'],
});

const reasonSource = {
  system: about(text(100), 'The system that the code belongs to, such as the platform.'),
  code: about(text(200), 'The code of the reason in this system.'),
  label: optional(about(text(500), 'The text of the reason in this system.')),
};
const sourceText = 'The reason in the words of the platform. Absent if no platform reported one.';

/** The reason of a line: the service's code, the customer's note and the platform's own code. */
export const Reason = closed(
  {
    code: about(LineReasonCode, 'The code of the reason. `listReasons` lists the codes.'),
    note: optional(about(text(4000), 'The explanation of the customer. Some reasons require it.')),
    source: optional(about(closed(reasonSource), sourceText)),
  },
  { $id: 'Reason', description: 'Why the customer returns a line.' },
);

/** The reason of a line for readers, with marks where its note or the platform's text was erased. */
const ReturnReason = closed(
  {
    ...Reason.properties,
    note: optional(about(text(4000), 'The explanation of the customer. Answers to commands leave it out.')),
    source: optional(
      about(closed({ ...reasonSource, ...erasable }), `${sourceText} Answers to commands leave out its \`label\`.`),
    ),
    ...erasable,
  },
  { $id: 'ReturnReason', description: 'Why the customer returns a line, for readers.' },
);

const lineFields = {
  orderLineId: about(PlatformId, 'The id of the order line at the platform.'),
  condition: optional(about(text(100), 'The condition of the units as the customer describes it.')),
};

/** A line of a request for a return. */
export const NewLine = closed({
  orderLineId: lineFields.orderLineId,
  quantity: about(Quantity, 'Units of the order line to return.'),
  reason: about(Reason, 'Why the customer returns the line.'),
  condition: lineFields.condition,
  resolution: optional(about(Resolution, 'What the customer wants for the units. The default is `refund`.')),
});

const Quantities = closed(
  {
    requested: about(Count, 'Units of the request.'),
    approved: about(
      Count,
      'Units that were approved, also those cancelled since. Of these, `requested - rejected - cancelled` are left.',
    ),
    rejected: about(Count, 'Units that were rejected.'),
    cancelled: about(Count, 'Units that were cancelled, before or after the decision.'),
    returnless: about(Count, 'Approved units that the customer may keep. They are paid for without coming back.'),
    received: about(Count, 'Units that the shop received.'),
    missing: about(Count, 'Units that were marked as missing. A late receipt takes units out.'),
    accepted: about(
      Count,
      'Received units that an inspection accepted. If the terms skip inspections, the receipt accepts them.',
    ),
    refused: about(Count, 'Received units that an inspection refused.'),
    granted: about(Count, 'Missing or refused units that the shop pays for all the same.'),
    refunded: about(
      Count,
      'Units in refunds. Units of cancelled or reversed refunds do not count. Recoveries take units out.',
    ),
    exchanged: about(Count, 'Units in exchanges. Cancelled exchanges do not count.'),
    repaired: optional(
      about(
        Count,
        'Accepted units in parcels to the customer, after a repair. No money is due for them. Units of cancelled and lost parcels do not count. Absent if there are none.',
      ),
    ),
  },
  { $id: 'Quantities', description: 'The units of a line, by what happened to them.' },
);

export const Amounts = closed(
  {
    gross: about(Money, 'The amount paid for the units that are neither rejected nor cancelled, tax included.'),
    tax: about(Money, 'The tax included in `gross`.'),
    net: about(Money, '`gross` without the tax.'),
    maxRefundable: about(
      Money,
      'The worth of the units that refunds may pay for, before fees and with the units already refunded. ' +
        'Exchanged units do not count. Missing and refused units count only if they were granted.',
    ),
    refunded: about(MoneySum, 'The amount that refunds gave for the units, before deductions. Recoveries reduce it.'),
  },
  {
    $id: 'Amounts',
    description:
      'What the units of a line are worth, as paid. The amounts are estimates until units are refunded or exchanged: refunds and exchanges settle the rounding.',
  },
);

export const Eligibility = closed(
  {
    verdict: about(
      oneOf('ineligible', 'needs_review'),
      '`ineligible`: an approval needs an override. `needs_review`: a person decides.',
    ),
    code: about(text(100), 'The code of the rule that decided so.'),
  },
  {
    $id: 'Eligibility',
    description: 'The verdict of a policy on a line that the policy does not simply allow.',
  },
);

export const Line = closed(
  {
    lineId: about(id('rln'), 'The id of the line.'),
    orderLineId: lineFields.orderLineId,
    sku: optional(about(text(200), 'The SKU of the order line. Absent if the order has none.')),
    quantities: about(Quantities, 'The units of the line, by what happened to them.'),
    reason: about(ReturnReason, 'Why the customer returns the line.'),
    condition: lineFields.condition,
    evidenceRequired: optional(
      about(Type.Boolean(), 'Present as `true` if the reason requires evidence before the line is approved.'),
    ),
    evidence: optional(about(list(Evidence), 'The files attached to the line. Answers to commands leave them out.')),
    resolution: about(Resolution, 'What the customer wants for the units.'),
    eligibility: optional(
      about(Eligibility, 'The verdict of the policy. Absent if the policy allows the line, or no policy decided.'),
    ),
    decisionId: optional(
      about(
        id('dec'),
        'The policy decision on the units that were added last. Absent if none were, or no policy decided.',
      ),
    ),
    inspections: about(list(Inspection), 'The inspections of the units, the oldest first.'),
    missing: about(list(MissingUnits), 'The missing units, by cause.'),
    amounts: about(Amounts, 'What the units are worth.'),
  },
  { $id: 'ReturnLine', description: 'Units of one order line in a return.' },
);
