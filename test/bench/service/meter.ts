import type { IncomingMessage } from 'node:http';
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

/** Receives each call of the engine: its operation, and its JSON. */
type Hear = (operation: string, sent: object) => void;

/** Returns the operation of a request to AWS. */
export const operationIn = ({ headers }: IncomingMessage): string =>
  String(headers['x-amz-target']).split('.').at(-1) ?? '';

/** Sends a request to a service of AWS, whose signature is not checked. */
export const forward = async (upstream: string, { headers, url }: IncomingMessage, body: string | Buffer) => {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(authorization|content-type|x-amz-(?!content).*)$/.test(name),
  );
  const answer = await fetch(`${upstream}${url}`, {
    method: 'POST',
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    body,
  });
  const type = answer.headers.get('content-type') ?? 'application/x-amz-json-1.0';
  return { status: answer.status, headers: { 'content-type': type }, text: await answer.text() };
};

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
    const operation = operationIn(request);
    calls[operation] = (calls[operation] ?? 0) + 1;
    const sent = JSON.parse((await buffer(request)).toString()) as object;
    hear(operation, sent);
    const body = JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' });
    const { status, headers, text } = await forward(engine, request, body);
    const { ConsumedCapacity } = JSON.parse(text) as { ConsumedCapacity?: Consumed | readonly Consumed[] };
    for (const consumed of [ConsumedCapacity ?? []].flat()) book(operation, consumed);
    response.writeHead(status, headers).end(text);
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
