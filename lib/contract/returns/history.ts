import Type from 'typebox';
import { closed, erasable, id, Instant, oneOf, orNull, ReturnActor, Sha256Hex, text } from '../scalars.ts';
import { Status } from './return.ts';

/** HMAC-SHA-256 over the `hash` of an entry, and the id of the key. Entries older than the keys have none. */
const Mac = closed({ key: text(100), value: Sha256Hex });

/** Who acted. `sealed` is `onBehalfOf`, encrypted to the key of the return, which an erasure deletes. */
const EntryActor = closed({ ...ReturnActor.properties, sealed: Type.Optional(text(1000)) });

/**
 * One entry of a return's history. `hash` is SHA-256 over the RFC 8785 JSON of the entry without `hash`, `mac`, `erased`,
 * `actor.onBehalfOf` and `actor.erased`, `previousHash` the hash of the entry before (64 zeros for the first). Free text
 * enters `data` as a salted digest; `erased` says that the texts of these digests are erased, and in `actor` that
 * `onBehalfOf` is.
 */
const HistoryEntry = closed(
  {
    sequence: Type.Integer({ minimum: 1 }),
    type: text(100),
    at: Instant,
    actor: EntryActor,
    from: orNull(Status),
    to: Status,
    data: Type.Record(Type.String(), Type.Unknown()),
    causationId: text(200),
    correlationId: text(200),
    policyVersion: orNull(text(100)),
    previousHash: Sha256Hex,
    hash: Sha256Hex,
    mac: Type.Optional(Mac),
    ...erasable,
  },
  { $id: 'HistoryEntry' },
);

export const History = closed(
  {
    items: Type.Array(HistoryEntry),
    nextCursor: orNull(Type.String()),
  },
  { $id: 'History' },
);

/** The place where a history is broken first: that of the entry at fault, or of the one that is missing. */
const HistoryFault = closed(
  {
    sequence: Type.Integer({ minimum: 1 }),
    code: oneOf(
      'sequence_gap',
      'entries_swapped',
      'tail_removed',
      'return_removed',
      'hash_mismatch',
      'chain_broken',
      'chain_rewritten',
      'not_foldable',
      'snapshot_differs',
    ),
    detail: text(4000),
  },
  { $id: 'HistoryFault' },
);

/**
 * `entries` counts those that are sound from the start, `head` is the hash of the last of them (64 zeros for none).
 * `notKeyed` counts those of them that are older than the keys of the deployment and carry no MAC.
 */
export const HistoryVerification = closed(
  {
    returnId: id('ret'),
    entries: Type.Integer({ minimum: 0 }),
    valid: Type.Boolean(),
    head: Sha256Hex,
    notKeyed: Type.Optional(Type.Integer({ minimum: 1 })),
    firstFault: Type.Optional(HistoryFault),
  },
  { $id: 'HistoryVerification' },
);
