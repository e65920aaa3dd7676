import { buffer } from 'node:stream/consumers';
import type { Placement } from '../remote.ts';
import { serve } from '../server.ts';

/** The consumption of the engine's calls in capacity units, and their number by kind. */
export type Metered = {
  readonly read: number;
  readonly write: number;
  readonly calls: Readonly<Record<string, number>>;
};

type Consumed = Readonly<Partial<Record<'CapacityUnits' | 'WriteCapacityUnits' | 'ReadCapacityUnits', number>>>;

const writes = /^(TransactWriteItems|PutItem|UpdateItem|DeleteItem|BatchWriteItem)$/;

const passed = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(authorization|content-type|x-amz-(?!content).*)$/.test(name) ? [[name, String(value)]] : [],
  );

/** Receives each call of the engine: its operation, and its JSON. */
type Hear = (operation: string, sent: object) => void;

/** Starts a proxy of DynamoDB's engine that requests and sums the consumed capacity. */
export const startMeter = async (engine: string, hear: Hear = () => undefined) => {
  let read = 0;
  let write = 0;
  let calls: Record<string, number> = {};

  const book = (
    operation: string,
    { CapacityUnits = 0, ReadCapacityUnits = 0, WriteCapacityUnits }: Consumed,
  ): void => {
    if (WriteCapacityUnits === undefined && !writes.test(operation)) read += CapacityUnits;
    else write += WriteCapacityUnits ?? CapacityUnits;
    read += ReadCapacityUnits;
  };

  const server = await serve(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    calls[operation] = (calls[operation] ?? 0) + 1;
    const sent = JSON.parse((await buffer(request)).toString()) as object;
    hear(operation, sent);
    const answer = await fetch(engine, {
      method: 'POST',
      headers: passed(request.headers),
      body: JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const text = await answer.text();
    const { ConsumedCapacity } = JSON.parse(text) as { ConsumedCapacity?: Consumed | readonly Consumed[] };
    for (const consumed of [ConsumedCapacity ?? []].flat()) book(operation, consumed);
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
  });

  return {
    origin: server.origin,
    /** Returns the consumption since the last call. */
    take: (): Metered => {
      const metered = { read, write, calls };
      [read, write, calls] = [0, 0, {}];
      return metered;
    },
    close: server.close,
  };
};

/** Meters what processes with this environment consume, while `work` runs. */
export const metering = async <Result>(
  placement: Placement,
  work: (metered: Placement, take: () => Metered) => Promise<Result>,
  hear?: Hear,
): Promise<Result> => {
  const { origin, take, close } = await startMeter(placement.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', hear);
  const environment = { ...placement.environment, AWS_ENDPOINT_URL_DYNAMODB: origin };
  try {
    return await work({ ...placement, environment }, take);
  } finally {
    await close();
  }
};
