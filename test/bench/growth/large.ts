import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { lives, type Subject } from '../../support/life.ts';
import { offer } from '../remote.ts';
import { itemsOf } from '../service/items.ts';
import { longHistoryOf, returnsOfOrder, type Seed } from '../service/seeds.ts';
import { openRecord, takeSteps, type Taken } from '../service/take.ts';
import { writeAll } from '../write-all.ts';

/*
 * A process that takes small and large returns through the same commands, in turns. It writes them without commands,
 * because a history of hundreds of entries takes hundreds of commands.
 */

/** The number of lines and of entries of a requested return. */
export type Size = { readonly lines: number; readonly entries: number };

export type Comparison = {
  readonly small: Readonly<Record<string, Taken>>;
  readonly large: Readonly<Record<string, Taken>>;
};

export type LargeReturns = {
  /** Takes this number of small and of large returns through each life. */
  readonly compare: (input: {
    readonly times: number;
    readonly small: Size;
    readonly large: Size;
  }) => Promise<Comparison>;
};

const table = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Numbers of orders that no stock has. Their times are before today. */
let number = 1_100_000 / returnsOfOrder;

const subjectOf = ({ order, returns }: Seed): Subject => {
  const [grown] = returns;
  if (grown === undefined) throw new Error('a seed has no return');
  const { id, version, lines } = grown.state;
  const { platform, orderId } = order;
  const lineIds = lines.map((line) => ({ lineId: line.id, orderLineId: line.orderLineId }));
  return { order: { platform, orderId }, returnId: id, version, lines: lineIds };
};

const store = async ({ lines, entries }: Size): Promise<Subject> => {
  const seed = longHistoryOf((number += 1), entries, lines);
  await writeAll(client, table, itemsOf(seed).values());
  return subjectOf(seed);
};

offer({
  compare: async ({ times, small, large }) => {
    const [smallRecord, largeRecord] = [openRecord(), openRecord()];
    const turns = [
      { size: small, record: smallRecord },
      { size: large, record: largeRecord },
    ];
    for (let time = 0; time < times; time += 1)
      for (const life of lives)
        for (const { size, record } of time % 2 === 0 ? turns : turns.toReversed())
          await takeSteps(await store(size), life, record.measured);
    return { small: smallRecord.taken, large: largeRecord.taken };
  },
} satisfies LargeReturns);
