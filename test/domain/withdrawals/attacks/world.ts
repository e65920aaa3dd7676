import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { Backend } from '../../../../lib/contract/port.ts';
import type { Root } from '../../../../lib/domain/returns/history/merkle.ts';
import { parseTextsKey, personPartition, publishedKey, withdrawalKey } from '../../../../lib/store/engine/keys.ts';
import { unpack } from '../../../../lib/store/engine/pack.ts';
import type { SaltedText } from '../../../../lib/store/personal/personal.ts';
import type { KeyedWithdrawalEntry } from '../../../../lib/domain/withdrawals/history/entry.ts';
import { subjectOfWithdrawal, type Withdrawal } from '../../../../lib/domain/withdrawals/model/withdrawal.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { executeRequest } from '../../../support/life-of-backend.ts';
import { register } from '../../../support/life.ts';
import { publishRoot } from '../../../support/publish-root.ts';

/* Withdrawals in the table of a test, with the rows that an attacker can write, and one root over the older ones. */

export type Row = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

/** The texts of one row, and the sequence in its key. */
export type TextsOfRow = { readonly sequence: number; readonly texts: readonly SaltedText[] };

/** An honest withdrawal: its rows, what they hold, and the receipt that the consumer has. */
export type Target = {
  readonly id: string;
  readonly rows: readonly Row[];
  readonly entries: readonly KeyedWithdrawalEntry[];
  readonly state: Withdrawal;
  readonly texts: readonly TextsOfRow[];
  /** How many entries the root covers; 0 for a younger withdrawal. */
  readonly anchored: number;
  readonly jws: string;
};

export type World = { readonly targets: readonly Target[]; readonly root: Root };

/** Test files share the modules of a process, and each has an engine of its own. */
const clients = new Map<string | undefined, DynamoDBDocumentClient>();
const client = (): DynamoDBDocumentClient => {
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const found = clients.get(endpoint) ?? DynamoDBDocumentClient.from(new DynamoDBClient({}));
  clients.set(endpoint, found);
  return found;
};

/** Replaces rows of the table. A row without attributes besides its key is deleted. */
export const writeRows = async (TableName: string, rows: readonly Row[]): Promise<void> => {
  if (rows.length === 0) return;
  const TransactItems = rows.map(({ pk, sk, ...attributes }) =>
    Object.keys(attributes).length === 0
      ? { Delete: { TableName, Key: { pk, sk } } }
      : { Put: { TableName, Item: { pk, sk, ...attributes } } },
  );
  await client().send(new TransactWriteCommand({ TransactItems }));
};

const readRows = async (TableName: string, id: string): Promise<readonly Row[]> => {
  const partitions = [withdrawalKey(id).pk, personPartition(subjectOfWithdrawal(id))];
  const found = await Promise.all(
    partitions.map(async (pk) =>
      client().send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ConsistentRead: true,
        }),
      ),
    ),
  );
  return found.flatMap(({ Items = [] }) => Items as Row[]);
};

type Packed = string | Uint8Array;

const isEntry = ({ pk, sk }: Row): boolean => pk.startsWith('WITHDRAWAL#') && sk.startsWith('HISTORY#');

const targetOf = async (
  backend: Backend,
  tableName: string,
  { id, anchored }: Pick<Target, 'id' | 'anchored'>,
): Promise<Target> => {
  const receipt = await backend.getWithdrawalReceipt({ withdrawalId: id }, backendCall());
  if (!receipt.ok) throw new Error(receipt.failure.code);
  const rows = await readRows(tableName, id);
  const snapshot = rows.find(({ sk }) => sk === 'SNAPSHOT');
  return {
    id,
    rows,
    anchored,
    jws: receipt.value.body.jws,
    entries: rows.filter(isEntry).map(({ value }) => unpack(value as Packed) as KeyedWithdrawalEntry),
    state: unpack(snapshot?.['value'] as Packed, snapshot?.['summary'] as Packed) as Withdrawal,
    texts: rows
      .filter(({ pk }) => pk.startsWith('PII#'))
      .map(({ sk, value }) => ({
        sequence: parseTextsKey(sk).sequence,
        texts: unpack(value as Packed) as SaltedText[],
      })),
  };
};

const day = 86_400_000;

/** Runs at another time. Ids, entries and trees have the time of the process. */
const atTime = async <Value>(time: number, run: () => Promise<Value>): Promise<Value> => {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
};

const declare = async (backend: Backend): Promise<string> => {
  const own = randomUUID();
  const content = { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own, lines: `a shirt of ${own}` };
  const declared = await backend.declareWithdrawal({ ...content, timeZone: 'Europe/Berlin' }, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

type Step = (backend: Backend, withdrawalId: string) => Promise<void>;

const expectOk = (result: { readonly ok: boolean }): void => {
  if (!result.ok) throw new Error(JSON.stringify(result));
};

const report: Step = async (backend, withdrawalId) => {
  const sent = { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' as const, reference: 'msg_1' };
  expectOk(await backend.recordReceiptSent(sent, backendCall()));
};
const match: Step = async (backend, withdrawalId) => {
  const order = { platform: 'web', orderId: randomUUID() };
  await executeRequest(backend, register(order, 2), backendCall());
  expectOk(await backend.matchWithdrawal({ withdrawalId, order }, backendCall()));
};
const answer: Step = async (backend, withdrawalId) => {
  const given = {
    answer: 'no_right' as const,
    rule: '2011/83/EU#16.e',
    source: 'https://law.example/16',
    note: 'opened',
  };
  expectOk(await backend.answerWithdrawal({ withdrawalId, ...given }, backendCall()));
};
const withdraw: Step = async (backend, withdrawalId) => {
  expectOk(await backend.withdrawWithdrawal({ withdrawalId, reason: 'mistake' }, backendCall()));
};

/** The steps before and after the root of each withdrawal of the world. */
const lives: readonly { readonly isYoung?: true; readonly before: readonly Step[]; readonly after: readonly Step[] }[] =
  [
    { before: [], after: [] },
    { before: [], after: [report] },
    { before: [report], after: [withdraw] },
    { before: [report, match], after: [answer] },
    { before: [match, answer], after: [] },
    { before: [match], after: [report, answer] },
    { before: [withdraw], after: [] },
    { before: [match, answer, report], after: [] },
    { isYoung: true, before: [], after: [] },
    { isYoung: true, before: [], after: [report, match] },
    { isYoung: true, before: [], after: [match, answer] },
    { isYoung: true, before: [], after: [withdraw] },
  ];

/** Makes withdrawals of all lives, and the root between the steps. What is published of a history has its mark. */
export const makeWorld = async (backend: Backend, tableName: string, copies: number): Promise<World> => {
  const now = Date.now();
  const planned = Array.from({ length: copies }, () => lives).flat();
  const begin = async (isYoung: boolean) =>
    Promise.all(
      planned.map(async (life) => {
        if ((life.isYoung === true) !== isYoung) return undefined;
        const id = await declare(backend);
        for (const step of life.before) await step(backend, id);
        return { id, ...life };
      }),
    );
  const old = await atTime(now - day, async () => begin(false));
  const root = await publishRoot();
  const all = [...old, ...(await begin(true))].flatMap((one) => one ?? []);
  const targets = await Promise.all(
    all.map(async ({ id, after, isYoung }): Promise<Target> => {
      const before = await targetOf(backend, tableName, { id, anchored: 0 });
      for (const step of after) await step(backend, id);
      const anchored = isYoung === true ? 0 : before.entries.length;
      const { state } = await targetOf(backend, tableName, { id, anchored });
      await writeRows(tableName, [{ ...publishedKey(withdrawalKey(id).pk), version: state.version }]);
      return targetOf(backend, tableName, { id, anchored });
    }),
  );
  return { targets, root };
};
