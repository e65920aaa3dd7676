import { QueryCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { backtestOutcome, type BacktestOutcome } from '../../../lib/policies/backtest/outcome.ts';
import { emptyReport, addOutcome } from '../../../lib/policies/backtest/report.ts';
import { compilePolicy } from '../../../lib/policies/evaluate/compile.ts';
import type { StoredDecision } from '../../../lib/policies/decision/stored-decision.ts';
import { standardPolicy } from '../../../lib/policies/templates/standard.ts';
import { decisionPartitionCount } from '../../../lib/store/policies/decisions.ts';
import { decisionPartition } from '../../../lib/store/engine/keys.ts';
import { pack, unpack } from '../../../lib/store/engine/pack.ts';

const days = 60;
const pages = 200;
const millisecondsOfDay = 86_400_000;

type Packed = { readonly value: string | Uint8Array };

/** Measures each step of a worker separately, in microseconds per decision. */
export const phasesOf = async (
  client: DynamoDBDocumentClient,
  table: string,
): Promise<Readonly<Record<string, number>>> => {
  const timed = async <Value>(work: () => Value | Promise<Value>) => {
    const startedAt = performance.now();
    const value = await work();
    return { value, ms: performance.now() - startedAt };
  };
  const day = (back: number) => new Date(Date.now() - back * millisecondsOfDay).toISOString().slice(0, 10);
  const partitions = Array.from({ length: days }, (_, back) =>
    Array.from({ length: decisionPartitionCount }, (__, shard) => decisionPartition(day(back + 1), shard)),
  ).flat();
  const read = await timed(async () => {
    const items: Packed[] = [];
    for (const pk of partitions) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
        }),
      );
      items.push(...(Items as Packed[]));
    }
    return items;
  });
  const unpacked = await timed(() => read.value.map(({ value }) => unpack(value) as StoredDecision));
  const compiled = compilePolicy(standardPolicy);
  const outcomes = await timed(() =>
    unpacked.value.map((stored): BacktestOutcome => backtestOutcome(stored, compiled, compiled)),
  );
  const folded = await timed(() => outcomes.value.reduce(addOutcome, emptyReport));
  const written = await timed(async () => {
    for (let page = 0; page < pages; page += 1)
      await client.send(
        new PutCommand({ TableName: table, Item: { pk: 'BENCH', sk: 'PART', value: pack(folded.value) } }),
      );
  });
  const count = read.value.length;
  const each = ({ ms }: { readonly ms: number }, of = count) => (1000 * ms) / of;
  const perPage = count / partitions.length;
  return {
    read: each(read),
    unpack: each(unpacked),
    'evaluate both, check the digest': each(outcomes),
    fold: each(folded),
    'write, by page of a day': each(written, pages * perPage),
  };
};
