import Type from 'typebox';
import {
  about,
  closed,
  Count,
  id,
  Instant,
  oneOf,
  OrderRef,
  Platform,
  PlatformId,
  Reference,
  Sha256Hex,
  text,
} from '../scalars.ts';
import { MatchedLine, matchRest } from '../withdrawals/withdrawal.ts';
import { openChange } from './change-fields.ts';

const { Optional: optional } = Type;

const policyId = about(id('pol'), 'The id of the policy.');
const policyName = about(Type.String(), 'The name of the policy.');

const earlier = about(
  Type.Object({
    at: about(Instant, 'When the previous tree was started.'),
    size: about(Count, 'The number of histories in the previous tree.'),
    found: about(
      Count,
      'The number of those histories that were found again, unchanged or longer. The service deletes no history.',
    ),
    uncompared: optional(
      about(Count, 'The number of those histories that were not compared, because pages of the tree were missing.'),
    ),
  }),
  'The previous anchor. Absent in the first one.',
);

const differences = about(
  Type.Array(
    Type.Object({
      returnId: about(Type.String(), 'The id of the return or of the withdrawal.'),
      code: about(
        oneOf(
          'history_removed',
          'history_hidden',
          'history_unreadable',
          'history_added',
          'tail_removed',
          'chain_rewritten',
        ),
        'How the history differs.',
      ),
      version: about(Count, 'The number of entries in the previous tree. 0 for an added history.'),
    }),
  ),
  'Up to 100 histories that differ from the previous tree. The new tree keeps their previous leaves. Absent if none differs.',
);

const withdrawalId = about(id('wdr'), 'The id of the withdrawal.');
const receipt = about(
  closed({
    sha256: about(Sha256Hex, 'The SHA-256 of the signed receipt.'),
    keyId: about(text(31), 'The id of the key that signed the receipt.'),
  }),
  'The receipt, which `getWithdrawalReceipt` returns.',
);

const units = Type.Array(MatchedLine);
const orderReference = about(closed(OrderRef), 'The order.');

/** The changes of withdrawals. They hold no text of the consumer. */
const withdrawalChanges = {
  'withdrawal.declared': openChange('Emitted when a consumer declares a withdrawal from a contract.', {
    withdrawalId,
    declaredAt: about(Instant, 'When the consumer declared the withdrawal.'),
    language: about(text(2), 'The language of the receipt.'),
    timeZone: about(text(100), 'The time zone of the receipt.'),
    platform: optional(about(Platform, 'The shop platform that the consumer used.')),
    source: optional(
      about(
        closed({
          platform: about(Platform, 'The platform that recorded the declaration.'),
          externalId: about(PlatformId, 'The id of the declaration at the platform.'),
        }),
        'Where a platform recorded the declaration.',
      ),
    ),
  }),
  'withdrawal.receipt_due': openChange(
    'Emitted with the declaration. It is emitted again, daily for a week and then weekly, until a sender reports that the receipt was sent.',
    {
      withdrawalId,
      receipt,
      reminder: optional(about(Count, 'The number of the reminder. Absent for the event with the declaration.')),
    },
  ),
  'withdrawal.receipt_sent': openChange('Emitted when a sender reports that the consumer has the receipt.', {
    withdrawalId,
    sentAt: about(Instant, 'When the receipt was sent.'),
    channel: about(oneOf('email', 'letter', 'download'), 'How the consumer got the receipt.'),
    reference: optional(about(Reference, 'The id of the message at its sender.')),
  }),
  'withdrawal.matched': openChange('Emitted when a withdrawal is matched to an order, by rule or by staff.', {
    withdrawalId,
    order: orderReference,
    lines: optional(about(units, 'The lines and units of the declaration. Absent for the whole order.')),
    ...matchRest,
  }),
  'withdrawal.cancellation_due': openChange(
    'Emitted with a match before the shipment. The units are held: cancel them at the shop, and do not ship them. ' +
      'Emitted again with `refundDueBy` once the customer pays an order that was not paid.',
    {
      withdrawalId,
      order: orderReference,
      lines: about(units, 'The units to cancel.'),
      wholeOrder: about(
        Type.Boolean(),
        'Whether nothing else of the order is left, so that all of it can be cancelled.',
      ),
      refundDueBy: optional(
        about(
          Instant,
          'Until when the shop must pay for them. Absent where no law sets a time, or nothing is left to pay.',
        ),
      ),
    },
  ),
  'withdrawal.refunded': openChange('Emitted when recorded refunds have paid for all held units of a withdrawal.', {
    withdrawalId,
    paidAt: about(Instant, 'When the shop paid for the last of the units.'),
  }),
  'withdrawal.refund_overdue': openChange(
    'Emitted once when the held units of a withdrawal are not paid in time. The schedule `remindReceipts` finds them hourly.',
    { withdrawalId, refundDueBy: about(Instant, 'Until when the shop had to pay.') },
  ),
  'withdrawal.return_created': openChange(
    'Emitted when shipped units of a withdrawal become a return, with the match or when the shop shipped held units anyway.',
    {
      withdrawalId,
      returnId: about(id('ret'), 'The id of the return.'),
      lines: about(units, 'The units of the return.'),
      shippedAnyway: optional(
        about(Type.Literal(true), 'Set if the units were held, and the shop shipped them anyway.'),
      ),
    },
  ),
  'withdrawal.answered': openChange('Emitted when a withdrawal is answered: the consumer has no right.', {
    withdrawalId,
    answer: about(oneOf('no_right'), 'The answer.'),
    law: optional(about(text(66), 'The law that applies.')),
    rule: about(Reference, 'A reference to the rule that excludes or ended the right.'),
    source: about(text(500), 'Where the rule stands: an address, or the article of a law.'),
  }),
  'withdrawal.withdrawn': openChange('Emitted when a declaration is withdrawn because it was made by mistake.', {
    withdrawalId,
    reason: about(oneOf('mistake'), 'Why the declaration has no effect.'),
  }),
};

const effect = {
  intentId: about(id('wbi'), 'The id of the intent.'),
  order: orderReference,
  action: about(Type.String(), 'What the shop was asked to do.'),
  returnId: optional(about(id('ret'), 'The return.')),
  refundId: optional(about(id('rfd'), 'The refund.')),
  externalId: optional(about(PlatformId, 'The id of the return or the refund at the shop.')),
  by: optional(about(oneOf('request', 'shop', 'statement'), 'Who gave the shop the effect.')),
  reason: optional(about(text(300), 'Why: a code.')),
};

/** The changes of write-back. */
const writeBackChanges = {
  'write_back.confirmed': openChange('Emitted when a shop has the effect of a command.', effect),
  'write_back.parked': openChange('Emitted when people must decide on the effect of a command at a shop.', effect),
  'write_back.cancelled': openChange('Emitted when the effect of a command at a shop is not wanted any more.', effect),
  'write_back.setting_changed': openChange('Emitted when it changes what a shop may be asked to do.', {
    platform: about(Platform, 'The platform of the orders of the shop.'),
    actions: about(Type.Record(Type.String(), Type.String()), 'The modes of the actions that are not off.'),
    isStopped: about(Type.Boolean(), 'Whether nothing is sent to the shop.'),
  }),
};

/** The changes of policies, anchors, erasures, webhook endpoints, summaries and withdrawals, by event type. */
export const serviceChanges = {
  ...withdrawalChanges,
  'policy.archived': openChange('Emitted when a policy is archived.', {
    policyId,
    name: policyName,
    archivedFrom: about(Instant, 'From when the policy decides no return.'),
  }),
  'policy.published': openChange('Emitted when a version of a policy is published.', {
    policyId,
    name: policyName,
    version: about(Count, 'The number of the published version.'),
    effectiveFrom: about(Instant, 'From when the version decides returns.'),
    effectiveUntil: optional(about(Instant, 'Until when the version decides returns. Absent when no end is set.')),
  }),
  'policy.superseded': openChange('Emitted when a version of a policy replaces an earlier version.', {
    policyId,
    version: about(Count, 'The number of the replaced version.'),
    supersededBy: about(Count, 'The number of the version that replaces it.'),
    effectiveUntil: about(Instant, 'Until when the replaced version decided returns.'),
  }),
  'history.anchored': openChange(
    'Emitted when the service anchors the histories of all returns and withdrawals in one Merkle root.',
    {
      at: about(Instant, 'When the tree was started.'),
      before: about(
        Type.String(),
        'The tree contains every return whose id is lower than this one, and the withdrawals that are as old.',
      ),
      size: about(Count, 'The number of histories in the tree.'),
      withdrawals: about(Count, 'The number of withdrawals in the tree.'),
      root: about(Sha256Hex, 'The Merkle root over these histories.'),
      earlier: optional(earlier),
      differences: optional(differences),
    },
  ),
  'privacy.erased': openChange(
    'Emitted when an erasure job has ended. The event contains the job and its counts, and does not identify the person.',
    {},
  ),
  'webhook_endpoint.disabled': openChange(
    'Emitted when the service disables a webhook endpoint after failures of 72 hours or a status 410.',
    {},
  ),
  ...writeBackChanges,
  'summary.daily': openChange('Emitted when the service has summarized the returns that were requested on a day.', {
    day: about(Type.String(), 'The day in UTC, such as 2026-11-20.'),
    returns: about(Count, 'The number of returns that were requested on this day.'),
  }),
};
