import { parseObject } from '../../lib/runtime/json.ts';
import { forward } from './engine.ts';
import { startServer } from './http-server.ts';

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
export type Hear = (operation: string, sent: object) => void;

/** Seconds. Longer than a client waits between two calls: otherwise it meets a connection that closes. */
const keepAliveSeconds = 120;

/** Starts a proxy of a service of AWS that counts the calls, and requests and sums the consumed capacity. */
export const startMeter = async (upstream: string, hear: Hear = () => undefined) => {
  let [read, write, calls]: [number, number, Record<string, number>] = [0, 0, {}];

  const book = (
    operation: string,
    { CapacityUnits = 0, ReadCapacityUnits = 0, WriteCapacityUnits }: Consumed,
  ): void => {
    if (WriteCapacityUnits === undefined && !writes.test(operation)) read += CapacityUnits;
    else write += WriteCapacityUnits ?? CapacityUnits;
    read += ReadCapacityUnits;
  };

  const server = await startServer(async (received) => {
    const operation = String(received.headers['x-amz-target']).split('.').at(-1) ?? '';
    calls[operation] = (calls[operation] ?? 0) + 1;
    const sent = parseObject(received.body) ?? {};
    hear(operation, sent);
    const metered = JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' });
    const { status, body } = await forward(received, upstream, metered);
    const { ConsumedCapacity } = (parseObject(body.toString()) ?? {}) as Metering;
    for (const consumed of [ConsumedCapacity ?? []].flat()) book(operation, consumed);
    return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body };
  });
  server.setIdleTime(keepAliveSeconds);

  return {
    origin: server.origin,
    /** Returns the consumption since the last call. */
    take: (): Metered => {
      const metered = { read, write, calls };
      [read, write, calls] = [0, 0, {}];
      return metered;
    },
    close: server.fall,
  };
};
