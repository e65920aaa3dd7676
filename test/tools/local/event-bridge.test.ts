import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEventBridge } from '../../../lib/tools/local/emulators/event-bridge.ts';
import { openBuses, type StoredEvent } from '../../../lib/tools/local/emulators/event-buses.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { deployed } from './resources.ts';

const busesWith = (properties: object = {}) =>
  deployed({ Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'returns', ...properties } } }).ofType(
    'AWS::Events::EventBus',
  );

const start = async () => {
  const reported: StoredEvent[] = [];
  const { url, createBuses, close } = await startEventBridge(0, (event) => reported.push(event));
  createBuses(busesWith());
  const client = new EventBridgeClient({ ...clientSettings, endpoint: url });
  onTestFinished(async () => {
    client.destroy();
    await close();
  });
  const put = async (Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
  const list = async (after: number) => {
    const { events } = (await (await fetch(`${url}/events?after=${after}`)).json()) as { events?: StoredEvent[] };
    return events;
  };
  return { put, list, reported };
};

const entry = {
  Source: 'urn:returns',
  DetailType: 'return.approved',
  Detail: '{"id":"ret_1"}',
  EventBusName: 'returns',
};

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
describe('EventBridge', () => {
  it('stores an event in the form that a rule delivers, on a bus by its name or ARN, and lists it', async () => {
    const { put, list, reported } = await start();
    const { FailedEntryCount, Entries = [] } = await put([
      { ...entry, Time: new Date('2026-11-22T12:00:00Z'), Resources: ['ret_1'] },
      { ...entry, EventBusName: 'arn:aws:events:eu-central-1:000000000000:event-bus/returns' },
    ]);
    expect(FailedEntryCount).toBe(0);
    const [first, second] = (await list(0)) ?? [];
    expect(first).toEqual({
      number: 1,
      bus: 'returns',
      event: {
        version: '0',
        id: Entries[0]?.EventId,
        'detail-type': 'return.approved',
        source: 'urn:returns',
        account: '000000000000',
        time: '2026-11-22T12:00:00Z',
        region: 'eu-central-1',
        resources: ['ret_1'],
        detail: { id: 'ret_1' },
      },
    });
    expect(await list(1)).toEqual([second]);
    expect(reported).toEqual([first, second]);
    expect(await list(-1)).toBeUndefined();
  });

  it('rejects each invalid entry by its own error, and accepts the others', async () => {
    const { put, list } = await start();
    const cases: readonly [PutEventsRequestEntry, string, string][] = [
      [{ ...entry, Source: undefined }, 'InvalidArgument', 'Source is a required argument.'],
      [{ ...entry, DetailType: undefined }, 'InvalidArgument', 'DetailType is a required argument.'],
      [{ ...entry, Detail: undefined }, 'InvalidArgument', 'Detail is a required argument.'],
      [{ ...entry, Detail: '[1]' }, 'MalformedDetail', 'Detail is malformed.'],
      [{ ...entry, Detail: '{' }, 'MalformedDetail', 'Detail is malformed.'],
      [{ ...entry, Source: 'aws.s3' }, 'NotAuthorizedForSourceException', 'Not authorized for the source.'],
      [{ ...entry, DetailType: 'x'.repeat(129) }, 'InvalidArgument', 'DetailType is longer than 128 characters.'],
      [{ ...entry, EventBusName: 'other' }, 'InvalidArgument', 'Event bus other does not exist.'],
    ];
    const { FailedEntryCount, Entries = [] } = await put([...cases.map(([invalid]) => invalid), entry]);
    expect(FailedEntryCount).toBe(cases.length);
    for (const [index, [, ErrorCode, message]] of cases.entries())
      expect(Entries[index]).toEqual({ ErrorCode, ErrorMessage: expect.stringContaining(message) as string });
    expect(await list(0)).toMatchObject([{ event: { id: Entries.at(-1)?.EventId } }]);
  });

  it('rejects a request of no entry, of more than ten, and of more than 256 KB', async () => {
    const { put, list } = await start();
    const large = (length: number) => ({ ...entry, Detail: JSON.stringify({ text: 'ä'.repeat(length) }) });
    for (const entries of [[], Array.from({ length: 11 }, () => entry), [large(66_000), large(66_000)]])
      await expect(put(entries)).rejects.toMatchObject({ name: 'ValidationException' });
    expect((await put([large(130_000)])).FailedEntryCount).toBe(0);
    expect(await list(0)).toHaveLength(1);
  });

  it('keeps the last ten thousand events', () => {
    const { put, after } = openBuses();
    for (let count = 0; count < 10_010; count += 1) put({ ...entry, EventBusName: 'default' }, Date.now());
    expect([after(0).length, after(0)[0]?.number, after(10_007).length]).toEqual([10_000, 11, 3]);
  });

  it('rejects a bus with an unknown property', () => {
    expect(() => openBuses().create(busesWith({ EventSourceName: 'aws.partner/a' }))).toThrow(
      '/Resources/Bus/Properties/EventSourceName: unknown to the local stack',
    );
  });
});
