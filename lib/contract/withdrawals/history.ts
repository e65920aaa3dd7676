import Type from 'typebox';
import { EntryMac, entryActor, entryFields } from '../returns/history.ts';
import { about, closed, id, Instant, oneOf, orNull, Sha256Hex, text } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const Sequence = Type.Integer({ minimum: 1 });
const Count = Type.Integer({ minimum: 0 });

const WithdrawalHistoryEntry = closed(
  {
    sequence: entryFields.sequence,
    type: about(text(100), 'The type of the event, such as `withdrawal.declared`.'),
    at: entryFields.at,
    actor: about(entryActor('withdrawal'), 'The client that caused the entry.'),
    data: entryFields.data,
    causationId: entryFields.causationId,
    correlationId: entryFields.correlationId,
    previousHash: entryFields.previousHash,
    hash: entryFields.hash,
    mac: optional(about(EntryMac, 'The HMAC of the entry.')),
    erased: entryFields.erased,
  },
  {
    $id: 'WithdrawalHistoryEntry',
    description: 'An entry in the history of a withdrawal. Its hash covers the entry before.',
  },
);

export const WithdrawalHistory = closed(
  {
    items: about(list(WithdrawalHistoryEntry), 'The entries of the page, the oldest first.'),
    nextCursor: about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.'),
  },
  { $id: 'WithdrawalHistory', description: 'A page of the history of a withdrawal.' },
);

const WithdrawalFault = closed(
  {
    sequence: about(Sequence, 'The place of the broken or missing entry, or of the entry whose text differs.'),
    code: about(
      oneOf(
        'sequence_gap',
        'entries_swapped',
        'tail_removed',
        'withdrawal_removed',
        'hash_mismatch',
        'chain_broken',
        'chain_rewritten',
        'not_foldable',
        'snapshot_differs',
        'text_differs',
        'text_removed',
        'receipt_differs',
        'anchor_differs',
      ),
      'What is wrong.',
    ),
    detail: about(text(4000), 'What is wrong, in words.'),
  },
  { $id: 'WithdrawalFault', description: 'The first place where a withdrawal differs from its history.' },
);

/** Offline verifiers read this form, so it has the field names of the proofs of returns. */
const WithdrawalProof = closed(
  {
    returnId: about(text(30), 'The id of the withdrawal. The proofs of all histories have this field name.'),
    version: about(Count, 'How many entries the root covers.'),
    head: about(Sha256Hex, 'The hash of the last entry that the root covers.'),
    at: about(Instant, 'The time of the root.'),
    index: about(Count, 'The place of the history in the tree.'),
    size: about(Sequence, 'The number of histories in the tree.'),
    path: about(list(Sha256Hex), 'The hashes from the leaf to the root (RFC 9162).'),
    entries: about(
      list(orNull(Type.Record(Type.String(), Type.Unknown()))),
      'The whole history as it is stored. Null for an entry that cannot be read.',
    ),
  },
  { $id: 'WithdrawalProof', description: 'The proof that a published root covers the history of a withdrawal.' },
);

export const WithdrawalVerification = closed(
  {
    withdrawalId: about(id('wdr'), 'The id of the withdrawal.'),
    entries: about(Count, 'Sound entries, counted from the first entry.'),
    valid: about(
      Type.Boolean(),
      'Whether the history is sound, yields the stored withdrawal, and matches the stored texts and the last root.',
    ),
    head: about(Sha256Hex, 'The hash of the last sound entry. 64 zeros if there is none.'),
    firstFault: optional(about(WithdrawalFault, 'The first failure. Absent if the withdrawal is valid.')),
    proof: optional(
      about(WithdrawalProof, 'The proof for `npm run verify`. Absent until a root covers the withdrawal.'),
    ),
  },
  { $id: 'WithdrawalVerification', description: 'The result of verifying the history of a withdrawal.' },
);
