import Type from 'typebox';
import {
  about,
  closed,
  erasable,
  id,
  Instant,
  Language,
  matching,
  oneOf,
  OrderRef,
  orNull,
  PageQuery,
  PathId,
  Platform,
  PlatformId,
  Quantity,
  Reference,
  Sha256Hex,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const WithdrawalId = id('wdr');
export const WithdrawalPath = closed({ withdrawalId: WithdrawalId });

const withdrawalId = about(
  WithdrawalId,
  'The id of the withdrawal, and the number of the declaration for the consumer.',
);
const Status = oneOf('declared', 'matched', 'answered', 'withdrawn');
const ReceiptStatus = oneOf('due', 'sent');
const KeyId = text(31, matching('^[a-z0-9][a-z0-9-]*$', 'the id of a key such as 2026-11-26-1b9d6bcd'));
const TimeZone = text(100, matching('^[A-Za-z0-9_+/-]+$', 'a time zone such as Europe/Berlin'));

const declared = {
  name: about(text(200), 'The name of the consumer.'),
  email: about(
    text(320, matching('^[^@\\s]+@[^@\\s]+$', 'an e-mail address such as ada@example.com')),
    'The e-mail address for the receipt.',
  ),
  contract: about(text(200), 'The order number or another identification of the contract, as the consumer wrote it.'),
  lines: optional(
    about(text(2000), 'The goods or services, as the consumer wrote them. Absent for the whole contract.'),
  ),
};

/** The answer stays in events and outlives an erasure, so its fields are no texts. */
const Law = text(66, matching('^[A-Z]{2,3}( [A-Za-z0-9./-]{1,20}){1,3}$', 'a law such as EU 2011/83'));

const DeclarationSource = closed({
  platform: about(Platform, 'The platform that recorded the declaration.'),
  externalId: about(PlatformId, 'The id of the declaration at the platform.'),
});

export const NewWithdrawal = closed(
  {
    ...declared,
    platform: optional(about(Platform, 'The shop platform that the consumer used. It helps to find the order.')),
    language: optional(
      about(Language, 'The language of the receipt. Absent: the best one of Accept-Language, otherwise `en`.'),
    ),
    timeZone: optional(
      about(
        TimeZone,
        'The time zone of the page that the consumer used (IANA). The receipt shows the time in it. Absent or unknown: UTC.',
      ),
    ),
    declaredAt: optional(
      about(Instant, 'When the platform recorded the declaration, at most now. It requires `source`. Absent: now.'),
    ),
    source: optional(
      about(
        DeclarationSource,
        'Where a platform recorded the declaration. It requires `declaredAt`. Send it for a platform, not for a page.',
      ),
    ),
  },
  { $id: 'NewWithdrawal', description: 'A declaration of withdrawal. Nothing else may be asked of the consumer.' },
);

const receiptHead = {
  status: about(
    ReceiptStatus,
    '`due`: no sender has reported that the consumer has the receipt. `sent`: a sender has.',
  ),
  sha256: about(Sha256Hex, 'The SHA-256 of the signed receipt. It stays after an erasure.'),
  keyId: about(KeyId, 'The id of the key that signed the receipt, in the published key set.'),
};
const version = about(Type.Integer({ minimum: 1 }), 'The number of changes of the withdrawal, and its ETag.');

export const DeclaredWithdrawal = closed(
  {
    withdrawalId,
    declaredAt: about(Instant, 'When the consumer declared the withdrawal. It counts for the period of withdrawal.'),
    receipt: about(closed(receiptHead), 'The receipt, which `getWithdrawalReceipt` returns.'),
    version,
  },
  {
    $id: 'DeclaredWithdrawal',
    description: 'A stored declaration. It has the same form, whether or not an order is known.',
  },
);

const Channel = oneOf('email', 'letter', 'download');

const sent = {
  sentAt: about(Instant, 'When the receipt was sent.'),
  channel: about(Channel, 'How the consumer got the receipt.'),
  reference: optional(about(Reference, 'The id of the message at its sender.')),
};
export const SentReceipt = closed(sent, { $id: 'SentReceipt', description: 'A report that the receipt was sent.' });

/** Events have the same units: no field of them is personal. */
export const MatchedLine = closed({
  orderLineId: about(PathId, 'The line of the order.'),
  quantity: about(Quantity, 'The units of the line.'),
});
const match = {
  order: about(closed(OrderRef), 'The order that the consumer means.'),
  lines: optional(
    about(
      list(MatchedLine, { minItems: 1, maxItems: 200 }),
      'The lines and units that the consumer means. Absent: all.',
    ),
  ),
};
export const WithdrawalMatch = closed(match, {
  $id: 'WithdrawalMatch',
  description: 'The order of a declaration.',
});

const answered = {
  answer: about(oneOf('no_right'), '`no_right`: the consumer has no right of withdrawal for this contract.'),
  law: optional(about(Law, 'The law that applies.')),
  rule: about(Reference, 'A reference to the rule that excludes or ended the right, such as `2011/83/EU#16.e`.'),
  source: about(text(500), 'Where the rule stands: an address, or the article of a law.'),
};
const note = optional(about(text(2000), 'A text for the file. It is personal data, and an erasure deletes it.'));
export const WithdrawalAnswer = closed(
  { ...answered, note },
  { $id: 'WithdrawalAnswer', description: 'The answer to a matched declaration.' },
);

export const WithdrawnDeclaration = closed(
  { reason: about(oneOf('mistake'), '`mistake`: the consumer did not want to withdraw from the contract.') },
  { $id: 'WithdrawnDeclaration', description: 'Why a declaration has no effect.' },
);

const units = list(MatchedLine);
const DeniedLine = closed({
  ...MatchedLine.properties,
  law: optional(about(Law, 'The law that applies.')),
  rule: about(Reference, '`period_ended`, or the code of the exemption, such as `sealed_goods`.'),
  source: about(text(500), 'Where the rule stands.'),
  until: optional(about(Instant, 'The end of the period. Absent for an exemption.')),
});

/** What a match did not carry out. */
export const matchRest = {
  denied: optional(about(list(DeniedLine), 'Units without a right of withdrawal, by rule. Absent if there are none.')),
  undecided: optional(
    about(
      units,
      'Units that you decide on: no known law applies, or no return could be made of them. Absent if there are none.',
    ),
  ),
};

const RefundStatus = oneOf('due', 'overdue', 'paid');
const refundHead = {
  status: about(
    RefundStatus,
    '`due`: the shop has not paid for all units. `overdue`: an hourly check found them unpaid after the date. `paid`: refunds recorded with `recordRefund`, without a return, cover the units, or are all money of the order.',
  ),
  dueBy: about(Instant, 'Until when the shop must pay. No goods come back, so it waits for nothing.'),
};

/** What a match carried out. */
const effect = {
  cancelled: optional(
    about(
      units,
      'Held units that the shop must not ship. Cancel them at the shop, refund them there, and record the refund without a return.',
    ),
  ),
  refund: optional(
    about(
      closed({
        ...refundHead,
        paidAt: optional(about(Instant, 'When the shop paid for the last of the units. Absent until then.')),
      }),
      'The refund of the held units. Absent without held units, where no law sets a time, and if nothing was left to pay.',
    ),
  ),
  returns: optional(
    about(
      list(
        closed({
          returnId: about(id('ret'), 'The id of the return.'),
          lines: about(units, 'The shipped units of the return.'),
          shippedAnyway: optional(
            about(Type.Literal(true), 'Set if the units were held, and the shop shipped them anyway.'),
          ),
        }),
      ),
      'The returns that carry out the withdrawal.',
    ),
  ),
};

const head = {
  withdrawalId,
  status: about(
    Status,
    '`declared`: stored. `matched`: its order is known. `answered`: the consumer has no right. `withdrawn`: made by mistake.',
  ),
  declaredAt: about(Instant, 'When the consumer declared the withdrawal.'),
  platform: optional(about(Platform, 'The shop platform that the consumer used.')),
  language: about(Language, 'The language of the receipt.'),
};
const times = {
  createdAt: about(Instant, 'When the declaration was stored.'),
  updatedAt: about(Instant, 'When the withdrawal was last changed. A reminder of the receipt is a change.'),
  version,
};
const atTime = (description: string) => about(Instant, description);

export const Withdrawal = closed(
  {
    ...head,
    declaration: optional(
      about(
        closed(declared),
        'The texts of the consumer. Only `getWithdrawal` returns them. Absent after an erasure of the person.',
      ),
    ),
    ...erasable,
    timeZone: about(TimeZone, 'The time zone of the receipt (IANA).'),
    source: optional(about(DeclarationSource, 'Where a platform recorded the declaration.')),
    receipt: about(
      closed({
        ...receiptHead,
        sent: optional(about(SentReceipt, 'The report of the sender. Absent while the receipt is due.')),
      }),
      'The receipt, without its content.',
    ),
    match: optional(
      about(
        closed({ ...match, ...matchRest, at: atTime('When the declaration was matched.') }),
        'The order of the declaration.',
      ),
    ),
    ...effect,
    answer: optional(
      about(
        closed({ ...answered, note, at: atTime('When the declaration was answered.') }),
        'The answer. Only `getWithdrawal` returns its note.',
      ),
    ),
    withdrawn: optional(
      about(
        closed({ ...WithdrawnDeclaration.properties, at: atTime('When the declaration was withdrawn.') }),
        'Why the declaration has no effect.',
      ),
    ),
    ...times,
  },
  { $id: 'Withdrawal', description: 'The declaration of a consumer to withdraw from a contract.' },
);

export const WithdrawalList = closed(
  {
    items: about(
      list(
        closed(
          {
            ...head,
            receipt: about(ReceiptStatus, 'Whether the consumer has the receipt.'),
            refund: optional(about(closed(refundHead), 'The refund of held units. Absent if there is none.')),
            order: optional(about(closed(OrderRef), 'The matched order.')),
            dueBy: optional(
              about(
                Instant,
                'Until when to act: while no order is matched, 14 days after the declaration, which is the time to pay in the EU and the United Kingdom. For held units, until when the shop must pay. Absent if neither waits.',
              ),
            ),
            declaration: optional(
              about(closed(declared), 'The texts of the consumer. Present only with `include=declaration`.'),
            ),
            ...erasable,
            ...times,
          },
          { $id: 'WithdrawalSummary', description: 'A withdrawal in a list.' },
        ),
      ),
      'The withdrawals of the page, the newest first.',
    ),
    nextCursor: about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.'),
  },
  {
    $id: 'WithdrawalList',
    description: 'A page of withdrawals, eventually consistent. It may be short or empty and still have a next page.',
  },
);

/** Several filters apply together. `from` and `to` select by the time at which the declaration was stored. */
export const WithdrawalQuery = closed({
  status: optional(Status),
  receipt: optional(ReceiptStatus),
  refund: optional(RefundStatus),
  from: optional(Instant),
  to: optional(Instant),
  updatedFrom: optional(Instant),
  sort: optional(oneOf('createdAt', 'updatedAt')),
  include: optional(oneOf('declaration')),
  ...PageQuery.properties,
});

export const WithdrawalReceipt = closed(
  {
    withdrawalId,
    jws: about(
      text(
        65_536,
        matching('^[\\w-]+[.][\\w-]+[.][\\w-]+$', 'a compact JWS of three parts such as eyJhbGciOiJFUzI1NiJ9.e30.c2ln'),
      ),
      'The signed receipt (RFC 7515).',
    ),
    keyId: receiptHead.keyId,
    sha256: receiptHead.sha256,
    payload: about(Type.Record(Type.String(), Type.Unknown()), 'The signed content of the receipt, as JSON.'),
    text: about(Type.String(), 'The receipt as plain text, with the signed receipt in it.'),
    html: about(Type.String(), 'The receipt as an HTML page without scripts and remote resources.'),
    language: about(Language, 'The language of `text` and `html`.'),
  },
  { $id: 'WithdrawalReceipt', description: 'The receipt of a declaration, for the sender of the mail.' },
);
