import Type from 'typebox';
import { about, closed, ExternalRef, id, Instant, oneOf, OrderRef, RmaNumber, text } from '../scalars.ts';
import { parties, statuses } from './closed-lists.ts';
import { channel, InitiatedBy, initiatedByText, ManagedBy, managedByText } from './new-return.ts';

const { Optional: optional, Array: list } = Type;

/* The fields that a return and its summary in a list have in common. */

export const Status = oneOf(...statuses);

export const RefundStatus = oneOf(
  'none',
  'due',
  'pending',
  'partially_refunded',
  'refunded',
  'failed',
  'unknown',
  'recovery_due',
);

const statusText = `The status of the goods. \`refundStatus\` has the status of the money. The return:

- \`requested\`: waits for a decision.
- \`info_requested\`: waits for an answer of the customer.
- \`approved\`: is approved, and the goods are with the customer.
- \`in_transit\`: has a parcel in transit to the shop.
- \`partially_received\`: has received some units and waits for others.
- \`received\`: has units that wait for an inspection.
- \`inspected\`: has no units to receive or inspect.
- \`completed\`, \`rejected\`, \`cancelled\`, \`expired\`: has ended.`;

/** The fields that a return and its summary in a list begin with. */
export const returnHead = {
  returnId: about(id('ret'), 'The id of the return.'),
  rmaNumber: about(RmaNumber, 'The RMA number: a short number for the customer and the parcel.'),
  status: about(Status, statusText),
  version: about(Type.Integer({ minimum: 1 }), 'The version. Each entry in the history of the return adds 1.'),
  order: about(
    closed({
      ...OrderRef,
      number: optional(about(text(100), 'The number of the order that the customer knows. Absent if it is unknown.')),
    }),
    'The order of the return.',
  ),
  managedBy: about(ManagedBy, managedByText),
  externalRefs: about(list(ExternalRef), 'The ids of the return at platforms.'),
  channel,
  initiatedBy: about(InitiatedBy, initiatedByText),
};

export const refundStatus = about(
  RefundStatus,
  `The status of the money for the goods:

- \`none\`: no refund is due.
- \`due\`: a refund can be booked now.
- \`pending\`: a refund is booked and not yet paid.
- \`partially_refunded\`: refunds paid less than the goods are worth.
- \`refunded\`: refunds paid for all goods.
- \`failed\`: a refund failed.
- \`unknown\`: the result of a refund is unknown.
- \`recovery_due\`: the customer owes money.`,
);

export const Party = oneOf(...parties);

export const NextStep = closed(
  {
    action: about(text(50), 'The operation, such as `inspect`. The return allows it now.'),
    by: about(
      Party,
      'Who has to act. `staff` decides on requests and exchanges, `finance` moves money, `platform` decides on its own returns.',
    ),
  },
  { $id: 'NextStep', description: 'The next command on a return, and the party that has to act.' },
);

export const tags = about(list(text(100)), "Tags for the shop's own use.");

export const returnTimes = {
  requestedAt: about(Instant, 'When the customer requested the return. A platform may report it later.'),
  createdAt: about(Instant, 'When the service created the return.'),
  updatedAt: about(Instant, 'When the return last changed.'),
};
