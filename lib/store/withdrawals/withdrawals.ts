import { retentionConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import type { KeyedWithdrawalEntry } from '../../domain/withdrawals/history/entry.ts';
import {
  type DeclarationSource,
  subjectOfWithdrawal,
  type Withdrawal,
} from '../../domain/withdrawals/model/withdrawal.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { dueAttributesAt, dueAttributesIn } from '../engine/due.ts';
import {
  declarationMarkerKey,
  declarationSourceKey,
  domainEventKey,
  type Key,
  orderSearchKey,
  parseTextsKey,
  personPartition,
  textsKey,
  withdrawalKey,
  withdrawalLinkKey,
} from '../engine/keys.ts';
import { pack, packWithSummary, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, putVersion, remove, updateIf, type Write } from '../engine/transact.ts';
import type { SaltedText } from '../personal/personal.ts';
import { dueKeyOf, indexAttributes, summaryOf } from './withdrawal-list.ts';

/*
 * Withdrawals: a snapshot and its history in one partition, as returns have them. Neither holds personal data: the texts
 * of the consumer are in a partition of the person's own (lib/store/personal).
 */

type Packed = string | Uint8Array;
type Snapshot = { readonly value: Packed; readonly summary: Packed };

const retention = configured(retentionConfig);

/** Returns a withdrawal in its current state, or undefined. */
export const readWithdrawal = async (session: Session, withdrawalId: string): Promise<Withdrawal | undefined> => {
  const item = await getItem<Snapshot>(session, withdrawalKey(withdrawalId));
  return item === undefined ? undefined : (unpack(item.value, item.summary) as Withdrawal);
};

/**
 * Replaces the state of a withdrawal, and writes its new entries.
 *
 * @param before undefined for a new withdrawal
 */
export const writeWithdrawal = (
  state: Withdrawal,
  entries: readonly KeyedWithdrawalEntry[],
  before: Withdrawal | undefined,
): Write[] => {
  const attributes = { ...packWithSummary(state, summaryOf(state)), ...indexAttributes(state) };
  const { pk } = withdrawalKey(state.id);
  return [
    putVersion('withdrawal', withdrawalKey(state.id), { version: state.version, ...attributes }, before?.version ?? 0),
    ...entries.map((entry) => putNew('entry', domainEventKey(pk, entry.sequence), { value: pack(entry) })),
  ];
};

/** The marker of a declaration: an equal declaration finds the withdrawal. */
type Marker = { readonly digest: string; readonly source?: DeclarationSource | undefined };

const markerOf = ({ id }: Pick<Withdrawal, 'id'>) => ({ withdrawalId: id });

/** Writes the markers of a new withdrawal, each once. */
export const writeDeclarationMarkers = (state: Pick<Withdrawal, 'id'>, { digest, source }: Marker): Write[] => [
  putNew('declaration', declarationMarkerKey(digest), markerOf(state)),
  ...(source === undefined ? [] : [putNew('declaration', declarationSourceKey(source), markerOf(state))]),
];

/** Deletes the marker of equal declarations, so that the consumer may declare the same again. */
export const removeDeclarationMarker = (digest: string): Write => remove('declaration', declarationMarkerKey(digest));

/** Returns the withdrawal of an equal declaration, or of the same fact of a platform; strongly consistent. */
export const findDeclaration = async (
  session: Session,
  digests: readonly string[],
  source: DeclarationSource | undefined,
): Promise<string | undefined> => {
  const keys = [...(source === undefined ? [] : [declarationSourceKey(source)]), ...digests.map(declarationMarkerKey)];
  const items = await batchGet(session, keys, ['pk', 'withdrawalId'], { consistent: true });
  const found = new Map(items.map(({ pk, withdrawalId }) => [String(pk), String(withdrawalId)]));
  return keys.map(({ pk }) => found.get(pk)).find((id) => id !== undefined);
};

/**
 * Writes the texts of a declaration with the actor key of its history. The row has the time at which applyRetention
 * checks it first, also without a retention: a deployment may get one later.
 */
export const writeDeclaredTexts = ({ id, subject }: Withdrawal, texts: readonly SaltedText[]): Write =>
  putNew('texts', textsKey(subject, id, 1, 0), {
    value: pack(texts),
    ...dueAttributesIn('declarations', personPartition(subject), retention().orderDays ?? 0),
  });

/** Returns the texts of declarations by withdrawal and reference, without erased ones. Eventually consistent. */
export const readDeclaredTexts = async (
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> => {
  const keys = ids.map((id) => textsKey(subjectOfWithdrawal(id), id, 1, 0));
  const rows = (await batchGet(session, keys, ['sk', 'value'])) as { sk: string; value: string | Uint8Array }[];
  return new Map(
    rows.map(({ sk, value }) => {
      const texts = unpack(value) as readonly SaltedText[];
      return [parseTextsKey(sk).returnId, new Map(texts.map(({ ref, text }) => [ref, text]))];
    }),
  );
};

/** Makes the search for the order of a new withdrawal due at once. */
export const writeOrderSearch = ({ id, createdAt }: Withdrawal): Write => {
  const key = orderSearchKey(id);
  return putNew('search', key, dueAttributesAt('searches', key.pk, Date.parse(createdAt)));
};

/** Leads from the persons of an order to a withdrawal, so that their erasure finds it. */
export const writeWithdrawalLinks = (withdrawalId: string, subjects: readonly string[]): Write[] =>
  [...new Set(subjects)].map((subject) => put('withdrawalLink', withdrawalLinkKey(subject, withdrawalId), {}));

/** Ends the reminders of a receipt whose texts are erased: it can no longer be sent. An unpaid refund stays due. */
export const endReminders = async (session: Session, state: Withdrawal): Promise<void> => {
  const due = dueKeyOf(state, true);
  await updateIf(session, {
    TableName: table(),
    Key: withdrawalKey(state.id) satisfies Key,
    UpdateExpression: due === undefined ? 'REMOVE dueKey' : 'SET dueKey = :due',
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': state.version, ...(due === undefined ? {} : { ':due': due }) },
  });
};
