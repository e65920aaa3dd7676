import { text } from 'node:stream/consumers';
import { parseObject } from '../../../lib/runtime/json.ts';
import { forward } from '../../support/engine.ts';
import type { Placement } from '../remote.ts';
import { serve } from '../server.ts';

/** The consumption of the engine's calls in capacity units, and their number by kind. */
export type Metered = {
  readonly read: number;
  readonly write: number;
  readonly calls: Readonly<Record<string, number>>;
};

type Consumed = Readonly<Partial<Record<'CapacityUnits' | 'WriteCapacityUnits' | 'ReadCapacityUnits', number>>>;

type Metering = { readonly ConsumedCapacity?: Consumed | readonly Consumed[] };

const writes = /^(TransactWriteItems|PutItem|UpdateItem|DeleteItem|BatchWriteItem)$/;

/** Receives each call of the engine: its operation, and its JSON. */
type Hear = (operation: string, sent: object) => void;

/** Starts a proxy of a service of AWS that counts the calls, and requests and sums the consumed capacity. */
export const startMeter = async (upstream: string, hear: Hear = () => undefined) => {
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
    const { url: path = '', headers } = request;
    const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    calls[operation] = (calls[operation] ?? 0) + 1;
    const sent = parseObject(await text(request)) ?? {};
    hear(operation, sent);
    const metered = JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' });
    const { status, body } = await forward({ path, headers, body: metered }, upstream);
    const { ConsumedCapacity } = (parseObject(body.toString()) ?? {}) as Metering;
    for (const consumed of [ConsumedCapacity ?? []].flat()) book(operation, consumed);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
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
