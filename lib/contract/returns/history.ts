import Type from 'typebox';
import {
  about,
  closed,
  erasable,
  id,
  Instant,
  NamedUser,
  oneOf,
  orNull,
  ReturnActor,
  Sha256Hex,
  text,
} from '../scalars.ts';
import { Status } from './return-head.ts';

/** The MAC of an entry of any history. */
export const EntryMac = closed({
  key: about(text(100), 'The id of the key.'),
  value: about(Sha256Hex, 'HMAC-SHA-256 over `hash`, in hexadecimal digits.'),
});

/** The user of an entry of any history. */
const EntryUser = closed({
  ...NamedUser.properties,
  nameDigest: Type.Optional(
    about(
      Sha256Hex,
      'The salted digest of the name. The service shows a name only if it has this digest. Absent if the token had no name.',
    ),
  ),
});

/** The actor of an entry of any history. An erasure deletes the key that opens `sealed`. */
export const entryActor = (noun: 'return' | 'withdrawal') =>
  closed({
    ...ReturnActor.properties,
    user: Type.Optional(about(EntryUser, 'The signed-in user, from the access token. Absent for a client.')),
    sealed: Type.Optional(
      about(
        text(1000),
        `\`onBehalfOf\`, encrypted with the key of the ${noun}. An erasure deletes the key. Absent if the header was absent.`,
      ),
    ),
  });

/** The fields of an entry of any history that link it to the others and name its cause. */
export const entryFields = {
  sequence: about(Type.Integer({ minimum: 1 }), 'The place of the entry in the history. The first entry has 1.'),
  at: about(Instant, 'When the service recorded the entry.'),
  data: about(
    Type.Record(Type.String(), Type.Unknown()),
    'The data of the event. Its fields depend on the type. A salted digest replaces free text.',
  ),
  causationId: about(text(200), 'The id of the request, job, delivery or schedule that caused the entry.'),
  correlationId: about(text(200), 'The id of the trace that the cause belongs to.'),
  previousHash: about(Sha256Hex, 'The hash of the entry before. The first entry has 64 zeros.'),
  hash: about(
    Sha256Hex,
    'SHA-256 over the RFC 8785 JSON of the entry without `hash`, `mac`, `erased`, `actor.onBehalfOf`, `actor.erased`, `actor.user.name` and `actor.user.erased`.',
  ),
  erased: about(erasable.erased, 'Present if the texts of the digests in `data` were erased.'),
};

const HistoryEntry = closed(
  {
    sequence: entryFields.sequence,
    type: about(text(100), 'The type of the event, such as `return.approved`.'),
    at: entryFields.at,
    actor: about(entryActor('return'), 'The client that caused the entry.'),
    from: about(orNull(Status), 'The status of the return before the entry. Null in the first entry.'),
    to: about(Status, 'The status of the return after the entry.'),
    data: entryFields.data,
    causationId: entryFields.causationId,
    correlationId: entryFields.correlationId,
    policyVersion: about(orNull(text(100)), 'The policy version that the entry follows. Null if no policy applies.'),
    previousHash: entryFields.previousHash,
    hash: entryFields.hash,
    mac: Type.Optional(
      about(EntryMac, 'The HMAC of the entry. Absent if it was removed by force, which `verifyHistory` reports.'),
    ),
    erased: entryFields.erased,
  },
  { $id: 'HistoryEntry', description: 'An entry in the history of a return. Its hash covers the entry before.' },
);

export const History = closed(
  {
    items: about(Type.Array(HistoryEntry), 'The entries of the page, the oldest first.'),
    nextCursor: about(orNull(Type.String()), 'The cursor of the next page. Null on the last page.'),
  },
  { $id: 'History', description: 'A page of the history of a return.' },
);

const HistoryFault = closed(
  {
    sequence: about(Type.Integer({ minimum: 1 }), 'The place of the broken or missing entry.'),
    code: about(
      oneOf(
        'sequence_gap',
        'entries_swapped',
        'tail_removed',
        'return_removed',
        'hash_mismatch',
        'chain_broken',
        'chain_rewritten',
        'not_foldable',
        'snapshot_differs',
        'anchor_differs',
      ),
      'What is wrong.',
    ),
    detail: about(text(4000), 'What is wrong, in words.'),
  },
  { $id: 'HistoryFault', description: 'The first place where a history is broken.' },
);

export const HistoryVerification = closed(
  {
    returnId: about(id('ret'), 'The id of the return.'),
    entries: about(Type.Integer({ minimum: 0 }), 'Sound entries, counted from the first entry.'),
    valid: about(
      Type.Boolean(),
      'Whether the whole history is sound, yields the stored return and continues the last anchor.',
    ),
    head: about(Sha256Hex, 'The hash of the last sound entry. 64 zeros if there is none.'),
    firstFault: Type.Optional(about(HistoryFault, 'The first failure. Absent if the history is valid.')),
    anchor: Type.Optional(
      about(
        closed({
          at: about(Instant, 'The time of the root.'),
          version: about(
            Type.Integer({ minimum: 0 }),
            'How many entries the root covers. No root proves the entries after them yet.',
          ),
        }),
        'The anchor of the history in the last root. Absent until a root covers the history.',
      ),
    ),
  },
  { $id: 'HistoryVerification', description: 'The result of verifying the history of a return.' },
);
