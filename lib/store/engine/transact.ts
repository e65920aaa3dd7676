import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Key } from './keys.ts';
import type { Session } from './session.ts';

/** The condition of a write failed, or a transaction was in progress on the item. */
type Conflict = 'ConditionalCheckFailedException' | 'TransactionConflictException';

/** Whether a write of one item failed for one of these conflicts. */
export const isConflict = (error: unknown, ...names: readonly Conflict[]): boolean =>
  error instanceof Error && (names as readonly string[]).includes(error.name);

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One action of a transaction. `guards` names its condition, so that the caller learns which one failed. */
export type Write = { readonly guards: string; readonly action: Action };

export type Outcome =
  | { readonly written: true }
  /** The failed conditions, and those on items that another transaction held. */
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

/** Puts an item, whether or not it exists. */
export const put = (guards: string, key: Key, attributes: Record<string, unknown>): Write => ({
  guards,
  action: { Put: { TableName: table(), Item: { ...key, ...attributes } } },
});

/** Puts an item that must not exist yet. */
export const putNew = (guards: string, key: Key, attributes: Record<string, unknown>): Write =>
  putIf(guards, key, attributes, { ConditionExpression: absent });

/** The value of an attribute as it was read. Undefined means that the item must not have the attribute. */
export type ReadAttribute = { readonly name: string; readonly value: string | Uint8Array | undefined };

/** Returns the condition that attributes have not changed since a read. `more` is a further condition. */
export const unlessChanged = (
  attributes: readonly ReadAttribute[],
  more?: { readonly expression: string; readonly values: Readonly<Record<string, unknown>> },
): Condition => {
  const terms = attributes.map(({ value }, index) =>
    value === undefined ? `attribute_not_exists(#read${index})` : `#read${index} = :read${index}`,
  );
  const values = {
    ...more?.values,
    ...Object.fromEntries(
      attributes.flatMap(({ value }, index) => (value === undefined ? [] : [[`:read${index}`, value]])),
    ),
  };
  return {
    ConditionExpression: [...(more === undefined ? [] : [`(${more.expression})`]), ...terms].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map(({ name }, index) => [`#read${index}`, name])),
    // The engine rejects an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** Puts an item unless a later observation is stored, or an attribute has changed since it was read. */
export const putUnlessLater = (
  guards: string,
  key: Key,
  attributes: Record<string, unknown> & { readonly observedAt: string },
  read: ReadAttribute,
): Write =>
  putIf(
    guards,
    key,
    attributes,
    unlessChanged([read], {
      expression: `${absent} OR observedAt <= :observedAt`,
      values: { ':observedAt': attributes.observedAt },
    }),
  );

/** Puts an item unless attributes have changed since they were read. */
export const putUnlessChanged = (
  guards: string,
  key: Key,
  attributes: Record<string, unknown>,
  read: readonly ReadAttribute[],
): Write => putIf(guards, key, attributes, unlessChanged(read));

/** Updates an item. */
export const update = (guards: string, action: Omit<NonNullable<Action['Update']>, 'TableName'>): Write => ({
  guards,
  action: { Update: { TableName: table(), ...action } },
});

/** Puts an item that must not exist, or must have expired: TTL deletes late. */
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

/** Replaces version `version` of an item; 0 means that it must not exist. */
export const putVersion = (guards: string, key: Key, attributes: Versioned, version: number): Write =>
  putIf(guards, key, attributes, atVersion(version));

/** Deletes an item, whether or not it exists. */
export const remove = (guards: string, key: Key): Write => ({
  guards,
  action: { Delete: { TableName: table(), Key: key } },
});

/** Deletes an item that must exist in this version. */
export const removeVersion = (guards: string, key: Key, version: number): Write => ({
  guards,
  action: { Delete: { TableName: table(), Key: key, ...atVersion(version) } },
});

const conditionReasons = new Set(['None', 'ConditionalCheckFailed', 'TransactionConflict']);

/** Writes all or nothing. Throws the engine's error when the outcome is unknown or the engine is unavailable. */
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

/**
 * Puts one item if its condition holds. It costs half of a transaction. But the SDK's retry after a lost response finds
 * the item that it put itself, and the outcome then names the condition as failed.
 */
export const putOne = async (session: Session, { guards, action: { Put } }: Write): Promise<Outcome> => {
  if (Put === undefined) throw new TypeError('the write is no put');
  try {
    await session.send(new PutCommand(Put));
    return { written: true };
  } catch (error) {
    if (isConflict(error, 'ConditionalCheckFailedException')) return { written: false, failed: [guards], busy: [] };
    if (isConflict(error, 'TransactionConflictException')) return { written: false, failed: [], busy: [guards] };
    throw error;
  }
};

/** Updates an item if its condition holds, and returns whether it did. */
export const updateIf = async (session: Session, update: UpdateCommandInput): Promise<boolean> => {
  try {
    await session.send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if (isConflict(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};
