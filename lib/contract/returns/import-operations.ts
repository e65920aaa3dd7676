import Type from 'typebox';
import { replacing } from '../entry.ts';
import { at, ref, requested } from '../example-story.ts';
import { OrderFacts } from '../orders/order.ts';
import { about, closed, Count, Instant, oneOf, OrderRef, PathId, Platform } from '../scalars.ts';
import { NewReturn } from './new-return.ts';
import { RefundFacts } from './refund-facts.ts';
import { NewLine } from './return-line.ts';
import { Return } from './return.ts';

/* The operation that imports a return of another system. */

const { Optional: optional, Array: list } = Type;

const ImportPath = closed({ source: Platform, externalId: PathId });

const { returnId: _, ...refundFacts } = RefundFacts.properties;
const { channel, initiatedBy, basis, isGift, tags, metadata } = NewReturn.properties;

const ImportedLine = closed({
  ...NewLine.properties,
  received: optional(
    about(
      Count,
      'Units that came back, with the status `received` or `completed`. The default is all units that the customer does not keep. Units of a completed return that never came are missing.',
    ),
  ),
  kept: optional(about(Count, 'Units that the customer keeps and is paid for. The default is 0.')),
});

const ImportedReturn = closed(
  {
    order: about(
      closed({
        ...OrderRef,
        facts: optional(
          about(
            OrderFacts,
            'The facts of the order, registered with the return as by `registerOrder`. They are ignored if another source has registered the order. Absent if it is registered.',
          ),
        ),
      }),
      'The order of the return.',
    ),
    status: about(
      oneOf('requested', 'approved', 'received', 'completed', 'rejected', 'cancelled', 'expired'),
      'The status of the return in the other system, in the words of this service.',
    ),
    requestedAt: about(Instant, 'When the customer requested the return.'),
    decidedAt: optional(
      about(Instant, 'When the return was approved or rejected. The default is the time before, as for the next two.'),
    ),
    receivedAt: optional(about(Instant, 'When the goods came back.')),
    endedAt: optional(about(Instant, 'When the return was completed, cancelled or expired.')),
    lines: about(list(ImportedLine, { minItems: 1, maxItems: 200 }), 'The units of the return.'),
    refund: optional(
      about(
        closed({
          ...refundFacts,
          externalId: optional(
            about(
              PathId,
              'The id of the refund at the platform of the order. The default is made of the ids of the return.',
            ),
          ),
        }),
        'What the customer got. With the status `approved`, `received` or `completed` only.',
      ),
    ),
    channel,
    initiatedBy,
    basis,
    isGift,
    tags,
    metadata,
  },
  { $id: 'ImportedReturn', description: 'A return as another system has it.' },
);

export const importReturn = replacing({
  path: '/imports/{source}/returns/{externalId}',
  scope: 'returns:admin',
  summary: 'Import a return of another system',
  description:
    'The order is registered, or `order.facts` register it. Enough of its units can still be returned. No policy decides, and no rule forbids what has happened: a broken one becomes a discrepancy.\n\nThe return is stored with its units, its money and its times. It gets an RMA number, and its id in the other system becomes an external reference. Its history begins with one entry, `return.imported`. No event, webhook, message or write-back follows from the import. A completed return owes nothing: what the other system left unpaid is waived.\n\nThe status is 201 for a new return. A repeat returns 200 with the return as it is now, and changes nothing. Other content for the same id fails with `duplicate_return` and the paths that differ.',
  params: ImportPath,
  body: ImportedReturn,
  answers: Return,
  ifMatch: 'ignored',
  success: [201, 200],
  errors: [
    'order_not_found',
    'order_line_not_found',
    'order_facts_frozen',
    'duplicate_return',
    'quantity_exceeds_returnable',
    'reason_unknown',
    'resolution_not_allowed',
    'refund_exceeds_ceiling',
    'currency_mismatch',
  ],
  example: {
    body: {
      order: ref,
      status: 'requested',
      requestedAt: at.requested,
      lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }],
      initiatedBy: 'customer',
    },
    output: { ...requested, externalRefs: [{ platform: 'loop', id: '58211' }] },
  },
});
