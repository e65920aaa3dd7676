import { alternative, type Candidate } from '../candidates.ts';
import type { EventText, Subject } from '../container.ts';
import { invokeMetered } from '../measure-warm.ts';
import type { Placement } from '../remote.ts';

/** An attribute as the engine receives it. Items of a command have no others. */
export type RecordedValue = { readonly S: string } | { readonly N: string } | { readonly B: string };

/** An item as the engine receives it. */
export type RecordedItem = Readonly<Record<string, RecordedValue>>;

/** A call of the engine. */
type RecordedCall = { readonly operation: string; readonly sent: object };

type Action = { readonly Put?: { readonly Item: RecordedItem } };

const isRead = ({ operation }: RecordedCall): boolean => operation === 'GetItem' || operation === 'Query';

/** Returns the items of the one transaction among calls. It rejects other writes, which the bare candidate lacks. */
const itemsOfTransaction = (calls: readonly RecordedCall[]): RecordedItem[] => {
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
const readsOf = (calls: readonly RecordedCall[], texts: Readonly<Record<string, string>>): RecordedRead[] =>
  calls.filter(isRead).map(({ sent }) => {
    const { Key, KeyConditionExpression, ExpressionAttributeValues } = sent as RecordedRead;
    const text = JSON.stringify({ Key, KeyConditionExpression, ExpressionAttributeValues });
    const named = Object.entries(texts).reduce((all, [name, own]) => all.replaceAll(own, `{${name}}`), text);
    return JSON.parse(named) as RecordedRead;
  });

/** Records one command by a candidate: its reads, the items of its transaction, its consumption and its body. */
export const record = async (candidate: Candidate, event: EventText, subject: Subject, placement: Placement) => {
  const calls: RecordedCall[] = [];
  const once = { candidate, event, subjects: [subject] };
  const { answer, metered } = await invokeMetered(once, placement, (operation, sent) =>
    calls.push({ operation, sent }),
  );
  const { statusCode, body } = answer;
  if (statusCode !== 200) throw new Error(`${candidate.name} answered ${statusCode}: ${body}`);
  const items = itemsOfTransaction(calls);
  const key = items.map(({ orderKey }) => orderKey).find((value) => value !== undefined);
  if (key === undefined || !('S' in key)) throw new Error('no written item has the key of the order');
  const reads = readsOf(calls, { orderKey: key.S, returnId: subject['returnId'] ?? '' });
  return { reads, items, metered, body };
};

/** Returns the bare candidate of a recorded command. */
export const bareOf = ({ reads, items, body }: Awaited<ReturnType<typeof record>>): Candidate => ({
  ...alternative('bare', 'bare-transaction/change-return'),
  environment: { BARE_READS: JSON.stringify(reads), BARE_ITEMS: JSON.stringify(items), BARE_ANSWER: body },
});
