import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { Backend } from '../../../../lib/contract/port.ts';
import type { Entry } from '../../../../lib/domain/returns/history/entry.ts';
import { fold } from '../../../../lib/domain/returns/history/fold.ts';
import { isWithdrawalId } from '../../../../lib/domain/returns/history/merkle.ts';
import type { ChainedEntry } from '../../../../lib/domain/returns/history/verify-history.ts';
import type { Return } from '../../../../lib/domain/returns/model/return.ts';
import { rowKeyOf } from '../../../../lib/store/anchors/anchored-rows.ts';
import { unpack } from '../../../../lib/store/engine/pack.ts';
import { writeReturn } from '../../../../lib/store/returns/returns.ts';
import { writeWithdrawal } from '../../../../lib/store/withdrawals/withdrawals.ts';
import type { WithdrawalEntry } from '../../../../lib/domain/withdrawals/history/entry.ts';
import { foldWithdrawal, isSigned } from '../../../../lib/domain/withdrawals/history/fold.ts';
import type { UnsignedWithdrawal } from '../../../../lib/domain/withdrawals/model/withdrawal.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { liveThrough } from '../../../support/life-of-backend.ts';
import { steps } from '../../../support/life.ts';
import type { Row } from '../../../domain/withdrawals/attacks/world.ts';

/* Returns and withdrawals in the table of a test, a day old, with the rows that an attacker can write. */

/** An honest history: its rows, its entries, and how many of them the last root covers. */
export type Target = {
  readonly id: string;
  readonly rows: readonly Row[];
  readonly entries: readonly ChainedEntry[];
  readonly anchored: number;
};

const returnLives = [
  [steps.addNote],
  [steps.approve, steps.addNote, steps.receive],
  [steps.approve, steps.addParcel, steps.receive, steps.inspect, steps.addNote],
  [steps.addNote, steps.reject],
];

const liveReturn = async (backend: Backend, life: (typeof returnLives)[number]): Promise<string> => {
  let id = '';
  for await (const { reply } of liveThrough(backend, life)) id = (reply.body as { returnId?: string }).returnId ?? id;
  return id;
};

const declare = async (backend: Backend, serial: number): Promise<string> => {
  const content = { name: 'Ada', email: `ada-${serial}@example.com`, contract: `order ${serial}`, lines: 'a shirt' };
  const declared = await backend.declareWithdrawal({ ...content, timeZone: 'Europe/Berlin' }, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  const { withdrawalId } = declared.value.body;
  const sent = { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' as const, reference: 'msg_1' };
  if (serial % 2 === 0) await backend.recordReceiptSent(sent, backendCall());
  if (serial % 3 === 0) await backend.withdrawWithdrawal({ withdrawalId, reason: 'mistake' }, backendCall());
  return withdrawalId;
};

/** Makes returns and withdrawals of a day ago, and returns their ids. */
export const makeHistories = async (
  backend: Backend,
  { returns, withdrawals }: { readonly returns: number; readonly withdrawals: number },
): Promise<readonly string[]> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  const ids: string[] = [];
  for (let serial = 0; serial < returns; serial += 1)
    ids.push(await liveReturn(backend, returnLives[serial % returnLives.length] ?? []));
  for (let serial = 0; serial < withdrawals; serial += 1) ids.push(await declare(backend, serial));
  vi.useRealTimers();
  return ids;
};

/** Reads the rows of a history and of its snapshot. */
export const readTarget = async (
  table: DynamoDBDocumentClient,
  TableName: string,
  id: string,
  anchored?: number,
): Promise<Target> => {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': rowKeyOf(id).pk },
      ConsistentRead: true,
    }),
  );
  const rows = Items as Row[];
  const entries = rows
    .filter(({ sk }) => sk.startsWith('HISTORY#'))
    .map((row) => unpack(row['value'] as string | Uint8Array) as ChainedEntry);
  return { id, rows, entries, anchored: anchored ?? entries.length };
};

const foldAny = (id: string, entries: readonly ChainedEntry[]) => {
  if (!isWithdrawalId(id)) {
    const state = (entries as readonly Entry[]).reduce<Return | undefined>(fold, undefined);
    return state && writeReturn(state, [], undefined);
  }
  const state = (entries as readonly WithdrawalEntry[]).reduce<UnsignedWithdrawal | undefined>(
    foldWithdrawal,
    undefined,
  );
  return state !== undefined && isSigned(state) ? writeWithdrawal(state, [], undefined) : undefined;
};

/** Returns the row that the service would write after these entries; undefined if they result in none. */
export const rowAfter = (id: string, entries: readonly ChainedEntry[]): Row | undefined => {
  try {
    const items = foldAny(id, entries)?.map(({ action }) => action.Put?.Item as Row | undefined);
    return items?.find((item) => item?.pk === rowKeyOf(id).pk && item.sk === 'SNAPSHOT');
  } catch {
    return undefined;
  }
};
