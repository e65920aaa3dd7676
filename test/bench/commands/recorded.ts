/** An attribute as the engine receives it. Items of a command have no others. */
export type RecordedValue = { readonly S: string } | { readonly N: string } | { readonly B: string };

/** An item as the engine receives it. */
export type RecordedItem = Readonly<Record<string, RecordedValue>>;

/** A call of the engine. */
export type RecordedCall = { readonly operation: string; readonly sent: object };

type Action = { readonly Put?: { readonly Item: RecordedItem } };

const isRead = ({ operation }: RecordedCall): boolean => operation === 'GetItem' || operation === 'Query';

/** Returns the items of the one transaction among calls. It rejects other writes, which the bare candidate lacks. */
export const itemsOfTransaction = (calls: readonly RecordedCall[]): RecordedItem[] => {
  const [transaction, ...others] = calls.filter((call) => !isRead(call));
  if (transaction?.operation !== 'TransactWriteItems' || others.length > 0)
    throw new Error(`not one transaction: ${calls.map(({ operation }) => operation).join(', ')}`);
  const { TransactItems } = transaction.sent as { readonly TransactItems: readonly Action[] };
  return TransactItems.map(({ Put }) => {
    if (Put === undefined) throw new Error('the transaction does more than put items');
    return Put.Item;
  });
};

/** A read as the engine receives it: the key of an item, or the condition of a query and its values. */
export type RecordedRead = {
  readonly Key?: RecordedItem;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: RecordedItem;
};

/**
 * Returns the reads among calls, in their order. The texts that differ between two returns become `{<name>}`, so that
 * the bare candidate can read the same of each return.
 *
 * @param texts the text of the recorded return by name, such as its id
 */
export const readsOf = (calls: readonly RecordedCall[], texts: Readonly<Record<string, string>>): RecordedRead[] =>
  calls.filter(isRead).map(({ sent }) => {
    const { Key, KeyConditionExpression, ExpressionAttributeValues } = sent as RecordedRead;
    const text = JSON.stringify({ Key, KeyConditionExpression, ExpressionAttributeValues });
    const named = Object.entries(texts).reduce((all, [name, own]) => all.replaceAll(own, `{${name}}`), text);
    return JSON.parse(named) as RecordedRead;
  });
