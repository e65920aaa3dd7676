import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';

/** That the condition of a write did not hold, and that a transaction was in its way. */
type Conflict = 'ConditionalCheckFailedException' | 'TransactionConflictException';

/** Whether a write of one item failed by what others write, in one of these ways. */
export const isConflict = (error: unknown, ...names: readonly Conflict[]): boolean =>
  error instanceof Error && (names as readonly string[]).includes(error.name);

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One action of a transaction. What its condition guards has a name: the caller learns which of them did not hold. */
export type Write = { readonly guards: string; readonly action: Action };

export type Outcome =
  | { readonly written: true }
  /** Conditions that did not hold, and those on items that another transaction held at that moment. */
  | { readonly written: false; readonly failed: readonly string[]; readonly busy: readonly string[] };

type Versioned = Record<string, unknown> & { readonly version: number };

const absent = 'attribute_not_exists(pk)';

type Condition = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
};

const putIf = (guards: string, key: Key, attributes: Record<string, unknown>, condition: Condition): Write => ({
  guards,
  action: { Put: { TableName: table(), Item: { ...key, ...attributes }, ...condition } },
});

/** Puts an item, whether or not it is there. */
export const put = (guards: string, key: Key, attributes: Record<string, unknown>): Write => ({
  guards,
  action: { Put: { TableName: table(), Item: { ...key, ...attributes } } },
});

/** Puts an item that must not be there yet. */
export const putNew = (guards: string, key: Key, attributes: Record<string, unknown>): Write =>
  putIf(guards, key, attributes, { ConditionExpression: absent });

/** Puts an item unless a later observation is there. */
export const putUnlessLater = (
  guards: string,
  key: Key,
  attributes: Record<string, unknown> & { readonly observedAt: string },
): Write =>
  putIf(guards, key, attributes, {
    ConditionExpression: `${absent} OR observedAt <= :observedAt`,
    ExpressionAttributeValues: { ':observedAt': attributes.observedAt },
  });

/** Puts an item that must not be there yet, or must have expired: TTL deletes late. */
export const putUnlessAlive = (
  guards: string,
  key: Key,
  attributes: Record<string, unknown> & { readonly expiresAt: number },
  nowSeconds: number,
): Write =>
  putIf(guards, key, attributes, {
    ConditionExpression: `${absent} OR expiresAt <= :now`,
    ExpressionAttributeValues: { ':now': nowSeconds },
  });

const atVersion = (version: number): Condition =>
  version === 0
    ? { ConditionExpression: absent }
    : {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': version },
      };

/** Puts an item in place of its version `version`; 0 stands for none. */
export const putVersion = (guards: string, key: Key, attributes: Versioned, version: number): Write =>
  putIf(guards, key, attributes, atVersion(version));

/** Deletes an item, whether or not it is there. */
export const remove = (guards: string, key: Key): Write => ({
  guards,
  action: { Delete: { TableName: table(), Key: key } },
});

/** Deletes an item that must be there in this version. */
export const removeVersion = (guards: string, key: Key, version: number): Write => ({
  guards,
  action: { Delete: { TableName: table(), Key: key, ...atVersion(version) } },
});

const conditionReasons = new Set(['None', 'ConditionalCheckFailed', 'TransactionConflict']);

/** Writes all or nothing. Throws what the engine throws when it cannot tell or is not there. */
export const transact = async (session: Session, writes: readonly Write[]): Promise<Outcome> => {
  try {
    await session.send(new TransactWriteCommand({ TransactItems: writes.map(({ action }) => action) }));
    return { written: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    if (codes.length === 0 || codes.some((code) => code === undefined || !conditionReasons.has(code))) throw error;
    const named = (code: string) => writes.filter((_, index) => codes[index] === code).map(({ guards }) => guards);
    return { written: false, failed: named('ConditionalCheckFailed'), busy: named('TransactionConflict') };
  }
};

/** Updates an item unless its condition does not hold; says whether it did. */
export const updateIf = async (session: Session, update: UpdateCommandInput): Promise<boolean> => {
  try {
    await session.send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if (isConflict(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};
